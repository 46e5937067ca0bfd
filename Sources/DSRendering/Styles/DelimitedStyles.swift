public import DSInterpreter
internal import DataTables
internal import DisplayText

/// A header and rows with commas between the fields, for other programs.
public struct CSVStyle: DataStyle {
  public static let name = "csv"
  public static let summary = "a header and rows, with commas between the fields"
  public static let isComplete = true
  public init() {}

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    try await DelimitedText(delimiter: ",").render(output, write)
  }

  public func safeForTerminal(_ text: String) -> String {
    text.escapingControls(keepsTabs: true, keepsLines: true)
  }
}

/// A header and rows with tabs between the fields, for other programs.
public struct TSVStyle: DataStyle {
  public static let name = "tsv"
  public static let summary = "a header and rows, with tabs between the fields"
  public static let isComplete = true
  public init() {}

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    try await DelimitedText(delimiter: "\t").render(output, write)
  }

  public func safeForTerminal(_ text: String) -> String {
    text.escapingControls(keepsTabs: true, keepsLines: true)
  }
}

/// Rows in the format of RFC 4180 with LF line ends: a header, and quotes where a field needs them.
private struct DelimitedText {
  let delimiter: Unicode.Scalar

  func render(_ output: Output, _ write: (String) throws -> Void) async throws {
    guard let rows = RowSet(output, for: .programs) else { return }
    try write(line(rows.columns.map { Value.string($0) }))
    try await rows.forEachBatch { batch in try write(batch.map(line).joined()) }
  }

  private func line(_ row: [Value?]) -> String {
    // Programs that read CSV skip blank lines: quote the only field of an empty row.
    if row.count == 1, case .null? = row[0] ?? .null { return "\"\"\n" }
    return row.map(field).joined(separator: String(delimiter)) + "\n"
  }

  /// Null and a missing key become an empty field; the empty string becomes a quoted empty field.
  private func field(_ value: Value?) -> String {
    switch value {
    case nil, .null: ""
    case .string(""): "\"\""
    case .string(let text): quotedWhereNeeded(text)
    case .date(let date): quotedWhereNeeded(date.text)
    case .data, .array, .record: quotedWhereNeeded(value.unquotedJSON)
    case .bool, .integer, .real: value.unquotedJSON
    }
  }

  private func quotedWhereNeeded(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains {
      $0 == delimiter || $0 == "\"" || $0 == "\n" || $0 == "\r"
    }
    guard needsQuotes else { return text }
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}

extension Value? {
  /// The JSON text, without the quotes of a string.
  fileprivate var unquotedJSON: String {
    let json = self?.json ?? ""
    return json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
  }
}
