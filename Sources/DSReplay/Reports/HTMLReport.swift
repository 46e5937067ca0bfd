import DSInterpreter

/// One page for browsers: the counts, every failure in its printed form with the pictures of its output,
/// and a table of all files. It needs no other file and no server.
package struct HTMLReport: TestReport {
  package static let name = "html"
  private var failures: [Markup] = []
  private var rows: [Markup] = []
  private var seed: UInt64?

  package init() {}

  package mutating func begin(seed: UInt64?) -> String {
    self.seed = seed
    return ""
  }

  package mutating func add(_ result: TestResult) -> String {
    let outcome = result.outcome
    if !outcome.isParsed { failures.append(Self.block(outcome.mistakes)) }
    for failure in outcome.failures { failures.append(Self.markup(of: failure)) }
    for section in outcome.sections {
      let status = result.isFlaky(section) ? "flaky" : section.status.words
      rows.append(
        """
        <tr class="\(section.status.rawValue)"><td>\(outcome.path):\(section.line)</td><td>\(section.name)</td>\
        <td>\(status)\(section.reason.isEmpty ? "" : ": \(section.reason)")</td></tr>

        """)
    }
    return ""
  }

  private static func markup(of failure: CommandFailure) -> Markup {
    let lines = failure.picture
    let drawings = failure.drawings.map { drawing -> Markup in
      "<figure class=\"scrolls\" tabindex=\"0\">\n\(Markup(verbatim: drawing))</figure>\n"
    }
    return """
      <h3>\(lines.first ?? failure.message)</h3>
      \(block(Array(lines.dropFirst())))\(drawings.joined())
      """
  }

  private static func block(_ lines: [String]) -> Markup {
    let texts = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    return TranscriptMarkup.output(texts.map(String.init))
  }

  package mutating func end(_ summary: TestSummary) -> String {
    var content: Markup = """
      <h1>dsshell test</h1>
      <p>\(summary.sentence)\(seed.map { "; shuffled with --shuffle=\($0)" } ?? "")</p>

      """
    if !failures.isEmpty { content += "<h2>Failures</h2>\n\(failures.joined())" }
    if !summary.unused.isEmpty {
      content += "<h2>Unused</h2>\n\(Self.block(summary.unusedLines))"
    }
    content += """
      <h2>Tests</h2>
      <table>
      <thead><tr><th>place</th><th>section</th><th>result</th></tr></thead>
      <tbody>
      \(rows.joined())</tbody>
      </table>

      """
    return PageFrame(title: "dsshell test: \(summary.sentence)", command: "test").document(content)
  }
}

extension HTMLReport {
  package static func wrote(_ text: String) -> Bool {
    text.hasPrefix(PageFrame.mark(of: "test"))
  }
}

extension SectionOutcome.Status {
  /// The word that people read.
  fileprivate var words: String {
    switch self {
    case .passed, .failed, .skipped: rawValue
    case .failedAsExpected: "failed as expected"
    case .notRun: "not run"
    }
  }
}
