extension Value {
  /// The value as JSON, shortened for a message.
  package var excerpt: String {
    let text = json
    return text.count > 60 ? text.prefix(57) + "…" : text
  }
}

extension ValueType {
  /// With its article, for messages.
  package var phrase: String {
    switch self {
    case .null: "null"
    case .bool: "a bool"
    case .number: "a number"
    case .string: "a string"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .record: "a record"
    }
  }
}
