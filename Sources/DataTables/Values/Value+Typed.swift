extension Value {
  /// The value as it is typed in arguments and expressions: JSON, with dates as bare words.
  package var typed: String {
    switch self {
    case .date(let date): date.isoText
    case .array(let elements): "[" + elements.map(\.typed).joined(separator: ", ") + "]"
    case .record(let record):
      "{"
        + zip(record.keys, record.values).map { "\(Value.string($0).json): \($1.typed)" }
        .joined(separator: ", ") + "}"
    default: json
    }
  }
}
