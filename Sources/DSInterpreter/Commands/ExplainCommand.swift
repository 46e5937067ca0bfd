import DataSources
import DataTables
import Pictures

/// `explain SOURCE [SECTION, ROW]`, `explain SOURCE OBJECT`
struct ExplainCommand: Command {
  private static let target = Parameter(
    "[SECTION, ROW] | {KEY: VALUE, …} | OBJECT", .either([.indexPath, .value]), .optional)
  private static let plan = Label(
    "plan", .boolean, "true to show the engine's plan of each statement", example: "true")

  static let names = ["explain"]
  static let parameters = [Parameter.source, target]
  static let labels = [plan, PictureArgument.label]
  static let synopsis =
    "explain SOURCE [[SECTION, ROW] | {KEY: VALUE, …} | OBJECT] [plan: true] [as: DRAWING FILE]"
  static let summary = "Explains how a content was computed, or why an object is where it is."
  static let notes =
    [
      "For an object that is shown: where its section begins and why, its neighbors by each part of",
      "the sort, and its location in each wrapped source, down to the line of a file.",
      "Without an object: the statements that a database ran for the source, the rows that were read,",
      "and what the shell computed itself, with the reason.",
      "",
      "`as:` draws the path of an object that is shown, through the sources that contain it:",
    ] + PictureArgument.notes
  static let examples = [
    "explain staff", "explain letters [5, 1]", "explain letters {name: Grape}",
    "explain letters {name: Peach}",
    "explain (simple [Pie, Carrot]) \"Carrot\"", "explain letters [5, 1] as: mermaid",
  ]
  static let seeAlso = ["tree", "object", "indexPath"]

  private let source: SourceArgument
  private let target: Argument?
  private let plan: Argument?
  private let drawing: PictureArgument?
  private let drawingSpan: Span?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    target = try arguments.take(Self.target)
    plan = try arguments[Self.plan]
    drawing = try PictureArgument(parsing: arguments)
    drawingSpan = arguments.span(ofAny: [PictureArgument.label])
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    guard let target else {
      if let drawingSpan {
        let name = session.displayName(of: source)
        throw Diagnostic(
          .badArgument,
          "`as:` draws the path of an object; add an index path: `explain \(name) [0, 0] as: text`",
          at: drawingSpan)
      }
      let report = try await session.computation(
        of: source, snapshot, showsPlans: try plan?.boolean() ?? false)
      return Self.result(report)
    }
    let value = try await target.value(in: &session)
    let report: Report
    var shown: IndexPath?
    if target.elements != nil || value.isIndexPath {
      let located = try await IndexPathArgument(target).path(in: &session)
      _ = try await session.object(at: located, of: source)
      if let drawing { return try await draw(located.path, in: source, drawing, &session) }
      report = try await session.explanation(of: located.path, in: source)
      shown = located.path
    } else if let path = try await snapshot.firstIndexPath(matching: value) {
      if let drawing { return try await draw(path, in: source, drawing, &session) }
      report = try await session.explanation(of: path, in: source)
      shown = path
    } else {
      if let drawingSpan {
        throw Diagnostic(
          .notFound,
          "\(session.displayName(of: source)) does not show \(value.excerpt); "
            + "`explain \(session.displayName(of: source)) \(target.span.text)` names the source that "
            + "hides it", at: drawingSpan)
      }
      report = try await AbsenceReport(of: value, in: source).report(in: session)
    }
    var result = Self.result(report)
    if let shown, session.options.addsPictures {
      result.output.drawing = try await session.pathPicture(of: shown, in: source)
    }
    return result
  }

  private func draw(
    _ path: IndexPath, in source: any DataSource, _ drawing: PictureArgument,
    _ session: inout Session
  ) async throws -> CommandResult {
    let picture = try await session.pathPicture(of: path, in: source)
    return try await drawing.result(of: picture, in: &session)
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
