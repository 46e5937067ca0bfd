import DataSources
import DataTables

/// `for NAME in EXPRESSION { … }`
struct ForCommand: BlockCommand {
  static let names = ["for"]
  static let synopsis = "for NAME in EXPRESSION { LINES }"
  static let summary = "Runs lines for each element of an array, or for each object of a source."
  static let notes = [
    "The name is bound within the block only. Lines are separated by line ends or `; `. A command whose",
    "result is an array is written in parentheses. An error ends the loop.",
  ]
  static let examples = [
    "for title in letters.sectionTitles { print title }",
    "for food in foods { expect food.name != null }",
    "for kind in [\"sweet\", \"fruit\"] { count (filtered foods where: kind == $kind | fetch) }",
  ]
  static let seeAlso = ["if", "def", "expressions"]
  static let form = CommandForm.block(.loop)

  private let stage: Stage
  private let name: Word
  private let elements: Expression

  init(parsing arguments: inout Arguments) throws {
    stage = arguments.stage
    guard let name = stage.name, let elements = stage.expression else {
      throw arguments.missing("a name and an expression")
    }
    self.name = name
    self.elements = elements
  }

  func run(
    in session: inout Session, body: BlockBody
  ) async throws -> (result: CommandResult, ending: ExecutionOutcome) {
    let operand = try await session.evaluate(elements)
    var outcome = ExecutionOutcome.done
    session.names.enterBlock([:], isCall: false)
    defer { session.names.leaveBlock() }
    switch operand {
    case .value(.array(let values)):
      try await run(values, &outcome, in: &session, body: body)
    case .source(let source):
      let snapshot = try session.content(of: source, at: elements.span)
      let sections = 0..<snapshot.numberOfSections
      for try await batch in snapshot.batches(in: sections) {
        guard try await run(batch.objects, &outcome, in: &session, body: body) else { break }
      }
    case .objects(let listing):
      for try await batch in listing.snapshot.batches(in: listing.sections) {
        guard try await run(batch.objects, &outcome, in: &session, body: body) else { break }
      }
    case .value(let value):
      throw Diagnostic(
        .badArgument, "`for` needs an array or a source, not \(value.excerpt)", at: elements.span)
    case .none, .database:
      throw Diagnostic(.badArgument, "`for` needs an array or a source", at: elements.span)
    }
    return (CommandResult(), outcome)
  }

  /// - Returns: whether the loop goes on.
  @discardableResult
  private func run(
    _ values: [Value], _ outcome: inout ExecutionOutcome, in session: inout Session,
    body: BlockBody
  ) async throws -> Bool {
    for value in values {
      if session.cancellation.isCancelled {
        throw Diagnostic(.cancelled, "for was canceled", at: stage.verb.span)
      }
      session.names.bindInBlock(name.text, to: .value(value))
      let ending = try await body(stage.lines, &session)
      if ending == .done { continue }
      outcome = ending
      // Lines after a failed one may have run.
      guard ending == .failed, session.execution.hasRunAllLines else { return false }
    }
    return true
  }
}
