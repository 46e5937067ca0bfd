import DataSources

/// The labels that protect a session from a server.
struct LimitArguments {
  static let labels = [
    Label("timeout", "seconds for the whole answer (60)", example: "5"),
    Label("connectTimeout", "seconds for the connection (10)", example: "2"),
    Label("retries", "how often it is sent again where that may help (2)", example: "0"),
    Label("redirects", "the most redirections that are followed (10)", example: "3"),
    Label("bodySize", "the most bytes of an answer (1 GiB)", example: "50000000"),
  ]

  private let labels: [String: Argument]

  init(parsing arguments: Arguments) throws {
    var labels: [String: Argument] = [:]
    for label in Self.labels { labels[label.name] = try arguments.label(label.name) }
    self.labels = labels
  }

  /// The limits, those that are not given as they were; `null` is what they are unless given.
  func limits(changing old: TransferLimits) throws -> TransferLimits {
    var limits = old
    try take("timeout", \.timeout, of: &limits) { try $0.seconds() }
    try take("connectTimeout", \.connectTimeout, of: &limits) { try $0.seconds() }
    try take("retries", \.retries, of: &limits) { try $0.natural() }
    try take("redirects", \.redirects, of: &limits) { try $0.natural() }
    try take("bodySize", \.bodySize, of: &limits) { try $0.natural() }
    return limits
  }

  private func take<Limit>(
    _ label: String, _ place: WritableKeyPath<TransferLimits, Limit>,
    of limits: inout TransferLimits, _ read: (Argument) throws -> Limit
  ) throws {
    guard let argument = labels[label] else { return }
    limits[keyPath: place] =
      try argument.isNull ? TransferLimits()[keyPath: place] : read(argument)
  }
}

extension Argument {
  /// A time limit.
  fileprivate func seconds() throws -> Double {
    guard let text, let seconds = Double(text), seconds > 0, seconds <= 1_000_000 else {
      throw error(.badArgument, "`\(span.text)` is no number of seconds above 0")
    }
    return seconds
  }
}
