/// How what came of a run is told.
///
/// What each function returns is written where the report goes, in this order; all of it is told
/// whatever becomes of the run.
package protocol TestReport: Sendable {
  /// As `--report` takes it.
  static var name: String { get }
  init()
  /// - Parameter seed: of the order, when it was shuffled.
  mutating func begin(seed: UInt64?) -> String
  /// Called in the order of the files.
  mutating func add(_ result: TestResult) -> String
  mutating func end(_ summary: TestSummary) -> String
}

package enum TestReports {
  /// The first is that for people.
  package static let all: [any TestReport.Type] = [
    HumanReport.self, TAPReport.self, JUnitReport.self, JSONLinesReport.self, GitHubReport.self,
  ]

  package static var names: [String] { all.map { $0.name } }
}

/// A report and where it goes.
package struct ReportTarget {
  private var report: any TestReport
  /// nil for standard output.
  package let file: String?
  private let write: (String) -> Void
  private var text = ""

  /// - Parameters:
  ///   - request: its name, or `junit=FILE`.
  ///   - write: takes what goes to standard output.
  /// - Returns: nil when there is no such report.
  package init?(_ request: String, write: @escaping (String) -> Void) {
    let parts = request.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first,
      let type = TestReports.all.first(where: { $0.name == name }),
      parts.count == 1 || !parts[1].isEmpty
    else { return nil }
    report = type.init()
    file = parts.count > 1 ? String(parts[1]) : nil
    self.write = write
  }

  /// Whether it is on standard output and not for people.
  package var isForProgram: Bool { file == nil && !(report is HumanReport) }

  mutating func tell(_ body: (inout any TestReport) -> String) {
    let piece = body(&report)
    if file == nil { write(piece) } else { text += piece }
  }

  /// Of its file, the same for all names of it; nil for standard output.
  package var identity: String? { file.map(ReportFile.identity) }

  /// Writes the file, as a whole.
  /// - Returns: why it cannot be written.
  func close() -> String? {
    guard let file else { return nil }
    do throws(UpdateError) {
      try ReportFile.write(text, to: file)
      return nil
    } catch {
      return "error: the report was not written: \(error.message)"
    }
  }
}
