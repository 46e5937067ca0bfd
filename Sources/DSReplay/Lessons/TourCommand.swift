package import DSInterpreter
import DataSources
import DataTables

/// `tour`
package struct TourCommand: Command {
  package static let names = ["tour"]
  package static let summary = "Shows the main commands with the bundled data, in ten minutes."
  package static let notes = [
    "It shows each step of the script `tour.ds`, with its output. Its names stay bound if the session",
    "has none; otherwise they are forgotten.",
  ]
  package static let examples = ["tour"]
  package static let seeAlso = ["lessons", "help"]

  package static func nameChanges(_ words: [String?]) -> NameChanges { .any }

  private static let file = "tour.ds"
  private let verb: Span

  package init(parsing arguments: inout Arguments) throws { verb = arguments.stage.verb.span }

  package func run(in session: inout Session) async throws -> CommandResult {
    guard let folder = session.options.examplesFolder else {
      throw Diagnostic(.notFound, "the script of the tour is not beside this program", at: verb)
    }
    let path = folder + "/" + Self.file
    let text = try TextFile.read(path, cancellation: session.cancellation)
    let script = ReplayScript(text, path: path, commands: session.commands)
    if let mistake = script.mistakes.first { throw mistake }
    if session.transaction != nil {
      throw Diagnostic(
        .conflict, "a transaction is open; `commit` or `rollback` ends it", at: verb)
    }
    let hasNames = !session.bindings.isEmpty
    let aside = hasNames ? session.setAsideNames() : nil
    var result = CommandResult()
    result.following = .played(
      PlayedScript(folder: folder, Self.steps(of: script)) { session in
        if let aside { session.restore(aside) }
      })
    return result
  }

  /// The comments and the commands.
  private static func steps(of script: ReplayScript) -> [PlayedScript.Step] {
    var steps: [PlayedScript.Step] = []
    var next = 1
    func addComments(_ lines: Range<Int>) {
      let comments = lines.compactMap { number -> String? in
        let line = script.source.string(script.source.line(number))
        if line.hasPrefix("# ") { return String(line.dropFirst(2)) }
        return line.isEmpty ? line : nil
      }.withoutBlankEnds
      if !comments.isEmpty { steps.append(.text((steps.isEmpty ? [] : [""]) + comments)) }
    }
    for command in script.commands {
      addComments(next..<max(next, command.lines.lowerBound))
      next = command.lastLine + 1
      let lines = command.parts.compactMap { part in
        if case .line(let line) = part { line } else { Line?.none }
      }
      steps.append(.command(command.text, lines))
    }
    addComments(next..<max(next, script.source.numberOfLines + 1))
    return steps
  }
}
