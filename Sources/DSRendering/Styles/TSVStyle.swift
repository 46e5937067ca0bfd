public import DSInterpreter

/// A header and rows with tabs between the fields, for other programs.
public struct TSVStyle: Style {
  public static let name = "tsv"
  public static let summary = "a header and rows, with tabs between the fields"
  public init() {}

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    try await DelimitedText(delimiter: "\t").render(output, write)
  }
}
