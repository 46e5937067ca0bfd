import DSInterpreter
import DataTables
import DisplayText

/// The coverage of a run as text (`--coverage`).
struct CoverageReport {
  private var lines: [String] = []
  private var files = 0
  private var sections = SourceCoverage.Count()
  private var rows = SourceCoverage.Count()
  private var keys = SourceCoverage.Count()
  private var commands = 0

  init(_ results: [TestResult]) {
    for result in results { add(result.outcome) }
  }

  /// With the line `coverage:` above and the sums below.
  var text: String {
    let sums =
      "  \(counted(files, "file")): \(Self.text(rows, "row")), \(Self.text(sections, "section")), "
      + "\(Self.text(keys, "key")) asserted; nothing expects the output of "
      + counted(commands, "command")
    return (["coverage:"] + lines + [sums]).map { $0 + "\n" }.joined()
  }

  private mutating func add(_ outcome: FileOutcome) {
    if outcome.coverage.isEmpty, outcome.unexpectedOutput.isEmpty { return }
    files += 1
    lines.append("  " + outcome.path.escapingControls())
    for source in outcome.coverage { add(source) }
    for command in outcome.unexpectedOutput {
      commands += 1
      let text = command.command.split(separator: "\n").first.map(String.init) ?? ""
      lines.append(
        "    nothing expects the output of line \(command.line): \(text)".escapingControls())
    }
  }

  private mutating func add(_ source: SourceCoverage) {
    let all = source.keys.count + source.otherKeys.count
    let keys = SourceCoverage.Count(asserted: source.keys.count, all: all)
    sections += source.sections
    rows += source.rows
    self.keys += keys
    var line = "    \(source.name): \(Self.text(source.rows, "row")), "
    line += "\(Self.text(source.sections, "section")), \(Self.text(keys, "key"))"
    if !source.otherKeys.isEmpty { line += "; not " + source.otherKeys.joined(separator: ", ") }
    lines.append(line.escapingControls())
  }

  /// `3 of 12 rows`
  private static func text(_ count: SourceCoverage.Count, _ word: String) -> String {
    "\(count.asserted.grouped) of \(counted(count.all, word))"
  }
}

extension SourceCoverage.Count {
  fileprivate static func += (left: inout Self, right: Self) {
    left.asserted += right.asserted
    left.all += right.all
  }
}
