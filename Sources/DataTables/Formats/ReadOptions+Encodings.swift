extension ReadOptions {
  /// The names that ``encoding`` takes.
  package static var encodings: [String] { TextEncoding.names }

  /// Whether ``encoding`` takes `name`, however it is spelled.
  package static func isEncoding(_ name: String) -> Bool { TextEncoding(named: name) != nil }
}
