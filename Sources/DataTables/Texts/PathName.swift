extension String {
  /// The last component of a path: the name of the file or folder.
  package var lastPathComponent: String { split(separator: "/").last.map { String($0) } ?? self }
}
