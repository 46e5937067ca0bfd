import DataSources
import DataTables
import Databases

/// `suggest SOURCE`
struct SuggestCommand: Command {
  static let names = ["suggest"]
  static let parameters = [Parameter.source]
  static let summary = "Ranks keys, modes and sorts by the sections that they would make."
  static let notes = [
    "Each line is a command that runs as it is shown, with a comment on what it makes, the best first:",
    "some sections of similar sizes, few objects without the key. The commands were tried on the",
    "objects: on all of up to 10,000, else on 10,000 from everywhere in the source (`about`); of a",
    "table of a database on the first 1,000, to which the numbers then refer.",
  ]
  static let examples = ["suggest foods"]
  static let seeAlso = ["sectioned", "describe", "organized", "collated", "keys", "modes"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let content = try session.content(of: source, at: self.source.span)
    let name = try written(source, in: session)
    let sample = try await ObjectSample(of: content, cancellation: session.cancellation)
    let profiles = KeyProfile.all(of: sample.objects, keys: content.keys)
    let proposals = Proposal.all(
      for: profiles, isSample: sample.isPart, isFlat: content.numberOfSections == 1)
    let trials = try await ProposalTrial.all(proposals, of: sample, in: session)
    let data = Value.array(trials.map { Self.record($0, over: name) })
    let reason = sample.total == 0 ? "no objects" : "no key makes sections of several objects"
    // Lines of their own for the comments, so that few commands are broken at the edge of a terminal.
    let lines =
      trials.isEmpty
      ? ["\(session.nameToShow(of: source)): \(reason)"]
      : trials.flatMap { [$0.proposal.command(over: name), "  # \($0.phrase)"] }
    return CommandResult(.value(data), Output(.text(lines, data: data)))
  }

  private static func record(_ trial: ProposalTrial, over name: String) -> Value {
    .record(
      Record([
        ("command", .string(trial.proposal.command(over: name))),
        ("sections", .integer(trial.sections)), ("objects", .integer(trial.objects)),
        ("largest", .integer(trial.largest)), ("nulls", .integer(trial.nulls)),
        ("examined", .integer(trial.examined)), ("about", .bool(trial.isEstimate)),
      ]))
  }

  /// The source as it can be written in a command: its name, or the command in parentheses.
  /// - Throws: ``Diagnostic``, `badArgument` for a source that has neither.
  private func written(_ source: any DataSource, in session: Session) throws -> String {
    if let name = session.boundName(of: source) { return name }
    if let table = source as? TableSource, let name = session.name(of: table) { return name }
    let text = self.source.span.text
    if text.hasPrefix("("), !text.contains(where: \.isNewline) { return text }
    throw Diagnostic(
      .badArgument,
      "the suggested commands need a name for the source; `let NAME = …` gives it one",
      at: self.source.span)
  }
}
