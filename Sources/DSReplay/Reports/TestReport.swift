/// The format of a report.
///
/// The functions return text that is written to the destination of the report in the order of the
/// calls. All of them are called, even in a run that ends early.
package protocol TestReport: Sendable {
  /// The value of `--report`.
  static var name: String { get }
  init()
  /// - Parameter seed: the seed of the order if it was shuffled.
  mutating func begin(seed: UInt64?) -> String
  /// Called in the order of the files.
  mutating func add(_ result: TestResult) -> String
  mutating func end(_ summary: TestSummary) -> String
  /// Whether a text is a report of this format, which a later one may replace.
  static func wrote(_ text: String) -> Bool
}

package enum TestReports {
  /// The first one is the default.
  package static let all: [any TestReport.Type] = [
    HumanReport.self, TAPReport.self, JUnitReport.self, JSONLinesReport.self, GitHubReport.self,
    HTMLReport.self,
  ]

  package static var names: [String] { all.map { $0.name } }

  /// Whether a text is a report of any format.
  static func wrote(_ text: String) -> Bool { all.contains { $0.wrote(text) } }
}

/// The reason why a report could not be written.
package struct ReportError: Error {
  /// One clause: `No space left on device`.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}

/// A report and its destination.
package struct ReportTarget {
  private var report: any TestReport
  /// nil for standard output.
  package let file: String?
  private let write: (String) throws(ReportError) -> Void
  private var text = ""
  /// Set by the first write to standard output that fails; the report writes nothing more there.
  private var failure: ReportError?

  /// Whether a write to standard output has failed.
  var hasFailedOutput: Bool { failure != nil }

  /// - Parameters:
  ///   - request: a name, or `junit=FILE`.
  ///   - write: writes a string to standard output.
  /// - Returns: nil if no report has this name, or FILE is empty.
  package init?(
    _ request: String, write: @escaping (String) throws(ReportError) -> Void = { _ in }
  ) {
    let parts = request.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first,
      let type = TestReports.all.first(where: { $0.name == name }),
      parts.count == 1 || !parts[1].isEmpty
    else { return nil }
    report = type.init()
    file = parts.count > 1 ? String(parts[1]) : nil
    self.write = write
  }

  /// Whether the report is written to standard output for a program.
  package var isForPrograms: Bool { file == nil && !(report is HumanReport) }

  mutating func append(_ body: (inout any TestReport) -> String) {
    let chunk = body(&report)
    if file != nil {
      text += chunk
    } else if failure == nil {
      do throws(ReportError) { try write(chunk) } catch { failure = error }
    }
  }

  /// The error if the file of the report has other content than a report, which would be lost; nil
  /// otherwise.
  package var refusal: String? {
    guard let file, !ReportFile.isReplaceable(file) else { return nil }
    let name = type(of: report).name
    return "the \(name) report would replace `\(file)`, which is not a report; name another file"
  }

  /// A string that is the same for all paths of the file of the report; nil for standard output.
  package var identity: String? { file.map(ReportFile.identity) }

  /// Writes the file of the report, if it has one.
  /// - Returns: the error message if the report, or a part of it, was not written.
  func close() -> String? {
    let name = type(of: report).name
    guard let file else {
      return failure.map {
        "the \(name) report was not written to standard output: \($0.reason)"
      }
    }
    do throws(UpdateError) {
      try ReportFile.write(text, to: file)
      return nil
    } catch {
      return "the \(name) report was not written: \(error.message)"
    }
  }
}
