public import DSInterpreter

/// A header and rows with commas between the fields, for other programs.
public struct CSVStyle: Style {
  public static let name = "csv"
  public static let summary = "a header and rows, with commas between the fields"
  public init() {}

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    try await DelimitedText(delimiter: ",").render(output, write)
  }
}
