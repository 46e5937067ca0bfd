import DataSources
import DataTables

/// `explain SOURCE [SECTION, ROW]`, `explain SOURCE OBJECT`
struct ExplainCommand: Command {
  private static let target = Parameter(
    "[SECTION, ROW] | {KEY: VALUE, …} | OBJECT", .either([.indexPath, .value]), .optional)
  private static let plan = Label(
    "plan", .boolean, "true to show the engine's plan of each statement", example: "true")

  static let names = ["explain"]
  static let parameters = [Parameter.source, target]
  static let labels = [plan]
  static let synopsis =
    "explain SOURCE [[SECTION, ROW] | {KEY: VALUE, …} | OBJECT] [plan: true]"
  static let summary = "Explains how a content was computed, or why an object is where it is."
  static let notes = [
    "For an object that is shown: where its section begins and why, its neighbors by each part of",
    "the sort, and its location in each wrapped source, down to the line of a file.",
    "Without an object: the statements that a database ran for the source, the rows that were read,",
    "and what the shell computed itself, with the reason.",
  ]
  static let examples = [
    "explain staff", "explain letters [5, 1]", "explain letters {name: Grape}",
    "explain letters {name: Peach}",
    "explain (simple [Pie, Carrot]) \"Carrot\"",
  ]
  static let seeAlso = ["tree", "object", "indexPath"]

  private let source: SourceArgument
  private let target: Argument?
  private let plan: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    target = try arguments.take(Self.target)
    plan = try arguments[Self.plan]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    guard let target else {
      let report = try await session.computation(
        of: source, snapshot, showsPlans: try plan?.boolean() ?? false)
      return Self.result(report)
    }
    let value = try await target.value(in: &session)
    let report: Report
    if target.elements != nil || value.isIndexPath {
      let located = try await IndexPathArgument(target).path(in: &session)
      _ = try await session.object(at: located, of: source)
      report = try await session.explanation(of: located.path, in: source)
    } else if let path = try await snapshot.firstIndexPath(matching: value) {
      report = try await session.explanation(of: path, in: source)
    } else {
      report = try await AbsenceReport(of: value, in: source).report(in: session)
    }
    return Self.result(report)
  }

  private static func result(_ report: Report) -> CommandResult {
    var report = report
    report.isSummary = false
    return CommandResult(.value(.record(report.data)), Output(.report(report)))
  }
}

extension Value {
  fileprivate var isIndexPath: Bool {
    guard case .array(let elements) = self else { return false }
    return elements.count == 2
      && elements.allSatisfy { if case .integer = $0 { true } else { false } }
  }
}
