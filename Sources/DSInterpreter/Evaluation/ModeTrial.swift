import DataSources
import DataTables
import Pictures

/// The sections that a mode makes of the rows of a content, by the verb that makes them for users.
struct ModeTrial {
  let mode: String
  /// nil if the mode refuses the rows.
  let content: Snapshot?
  /// The reason for a missing content; "" with one.
  let refusal: String

  /// Runs a command in a session of its own, so that nothing is bound, reported, logged or fetched
  /// below.
  ///
  /// - Parameters:
  ///   - name: the name under which the command refers to the rows.
  init(
    _ mode: String, of content: Snapshot, as name: String, command: String, in session: Session
  ) async throws {
    self.mode = mode
    var trial = Session(
      cancellation: session.cancellation, clock: session.clock,
      randomNumbers: session.randomNumbers)
    trial.options.copyLimit = session.options.copyLimit
    trial.last = session.last
    trial.names = session.names
    trial.names[name] = .source(ContentSource(content, name: name))
    do {
      self.content = try await trial.result(of: command)
      refusal = ""
    } catch {
      let facts = Diagnostic(facts: error)
      if facts.kind == .cancelled { throw error }
      self.content = nil
      refusal = facts.message + (facts.suggestion.map { "; did you mean `\($0)`?" } ?? "")
    }
  }
}

extension Session {
  /// The content of the source that a command returns.
  fileprivate mutating func result(of command: String) async throws -> Snapshot? {
    let text = ScriptText(command)
    let (lines, mistakes) = Parser.parse(Span(text, 0..<text.bytes.count), commands: commands)
    if let mistake = mistakes.first { throw mistake }
    guard let line = lines.first, case .source(let source) = try await evaluate(line).operand
    else { return nil }
    return source.state.snapshot
  }
}

/// A source of a content that is there already: a fetch reads nothing.
private final class ContentSource: DataSource {
  static let kind = "content"
  let state: SourceState

  init(_ content: Snapshot, name: String) {
    state = SourceState(name: name, snapshot: content)
  }

  var children: [any DataSource] { [] }
  var summary: String { Self.kind }

  func makeSnapshot(_ fetch: Fetch) throws -> Snapshot { try content }
}
