internal import DSInterpreter
internal import DataTables

extension Diagnostic {
  /// The error for programs: `error`, `kind`, `file`, `line`, `column`, and what else is known.
  var record: Record {
    var pairs: [(String, Value)] = [
      ("error", .string(message)),
      ("kind", .string(kind.rawValue)),
      ("file", (place?.file).map(Value.string) ?? .null),
      ("line", (place?.line).map(Value.integer) ?? .null),
      ("column", (place?.column).map(Value.integer) ?? .null),
    ]
    if let suggestion { pairs.append(("suggestion", .string(suggestion))) }
    if !details.isEmpty { pairs.append(("details", .array(details.map(Value.string)))) }
    return Record(pairs)
  }
}
