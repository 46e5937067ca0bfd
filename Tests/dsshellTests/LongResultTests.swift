import Testing

/// Results of many rows, and documents, in pipes.
@Suite struct LongResultTests {
  private let folder: TemporaryFolder
  private static let count = 200_000

  init() throws {
    folder = try TemporaryFolder()
    var rows = "n,word\n"
    for number in 0..<Self.count { rows += "\(number),word\(number % 7)\n" }
    try folder.write("rows.csv", rows)
  }

  private func run(_ commands: String, _ style: String = "table") throws -> (
    output: String, errors: String
  ) {
    let result = try dsshell(
      "--output", style, "-c", "let rows = load \(folder.path)/rows.csv; \(commands)")
    return (result.output, result.errors)
  }

  @Test(arguments: [
    "show rows", "objects rows", "show (sectioned rows key: n | fetch)",
    "sections (sectioned rows key: n | fetch)", "titles (sectioned rows key: n | fetch)",
    "print rows.allObjects", "print rows.allObjects.n",
    "expect rows.allObjects.n == [1]",
    "expect (columns rows n | fetch).allObjects == rows.allObjects",
  ]) func aHeadAndACountAreShown(command: String) throws {
    for style in ["table", "box", "markdown", "html", "line"] {
      let (output, errors) = try run(command, style)
      #expect(output.utf8.count + errors.utf8.count < 40_000)
      #expect((output + errors).contains(" more"))
    }
  }

  @Test(arguments: ["json", "jsonl", "csv", "tsv"])
  func stylesForProgramsAreComplete(style: String) throws {
    for command in ["objects rows", "show rows"] {
      let output = try run(command, style).output
      #expect(output.contains("\(Self.count - 1)"))
      #expect(!output.contains("…"))
    }
  }

  @Test func resultsInHTMLAreOneDocument() throws {
    let result = try run("count rows; count rows", "html")
    #expect(result.output.hasPrefix("<!DOCTYPE html>"))
    #expect(result.output.hasSuffix("<p>200000</p>\n<p>200000</p>\n</body>\n</html>\n"))
    let mixed = try run("count rows; mode table; count rows; mode html; count rows", "html").output
    #expect(mixed.contains("</html>\n200000\n<!DOCTYPE html>"))
    #expect(mixed.hasSuffix("</body>\n</html>\n"))
  }

  @Test func aFailureEndsTheDocumentToo() throws {
    let result = try run("count rows; object rows [7, 0]", "html")
    #expect(result.output.hasSuffix("<p>200000</p>\n</body>\n</html>\n"))
    #expect(result.errors.contains("error:"))
  }

  @Test func aRecordedResultIsCutAtTheSameRow() throws {
    let result = try run(
      "record \(folder.path)/r.ds; let same = load \(folder.path)/rows.csv; show same; more; "
        + "record off")
    #expect(result.errors == "")
    let script = try folder.read("r.ds")
    #expect(script.contains("\noption rows 50\n#| rows: 50\nshow same\n"))
    #expect(script.contains("(show same from: [0, 100])"))
    #expect(try dsshellTest(folder, "r.ds").status == 0)
  }
}
