import DSInterpreter
import DataTables
import DisplayText

/// The sections that took the most time (`--slowest`).
struct SlowSections {
  /// With the line `slowest sections:` above; the sections of equal times have the order of the run.
  let text: String

  init(_ results: [TestResult], count: Int) {
    let sections = results.flatMap { result in
      result.outcome.sections.map { (path: result.outcome.path, section: $0) }
    }
    let slowest = sections.enumerated()
      .sorted {
        ($1.element.section.nanoseconds, $0.offset) < ($0.element.section.nanoseconds, $1.offset)
      }
      .prefix(count).map(\.element)
    let times = slowest.map { Duration.nanoseconds($0.section.nanoseconds).shortText }
    let width = times.map(\.count).max() ?? 0
    let lines = zip(slowest, times).map { entry, time in
      let title = entry.section.title.map { " › \($0)" } ?? ""
      return "  " + String(repeating: " ", count: width - time.count) + time
        + "  \(entry.path):\(entry.section.line)\(title)".escapingControls() + "\n"
    }
    text = lines.isEmpty ? "" : "slowest sections:\n" + lines.joined()
  }
}
