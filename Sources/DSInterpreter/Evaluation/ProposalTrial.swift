import DataSources
import DataTables

/// The result of a proposed command, found by running it over objects of the source.
struct ProposalTrial {
  let proposal: Proposal
  let sections: Int
  /// The number of objects in all sections, and in the largest.
  let objects: Int
  let largest: Int
  /// The number of objects that do not have the key of the sections.
  let nulls: Int
  /// The number of objects over which the command was run.
  let examined: Int
  /// Whether the numbers are not those of all objects, but of those that were examined.
  let isEstimate: Bool
  /// Whether these are the first objects, to which the numbers refer.
  private let isBeginning: Bool

  /// The results of the proposals that succeed with several sections, or with one that they describe.
  static func all(
    _ proposals: [Proposal], of sample: ObjectSample, in session: Session
  ) async throws -> [ProposalTrial] {
    // A session of its own, so that nothing is bound, reported or logged.
    var trials = Session(
      cancellation: session.cancellation, clock: session.clock,
      randomNumbers: session.randomNumbers)
    trials.bind(name, to: .source(SimpleSource(sample.objects)))
    var results: [ProposalTrial] = []
    for proposal in proposals {
      try session.cancellation.check()
      guard let content = await trials.content(of: proposal.command(over: name)) else { continue }
      let trial = ProposalTrial(proposal, content, of: sample)
      if content.repeatedTitles.isEmpty, trial.sections > 1 || proposal.outcome.note != nil {
        results.append(trial)
      }
    }
    return results
  }

  private static let name = "sample"

  private init(_ proposal: Proposal, _ content: Snapshot, of sample: ObjectSample) {
    self.proposal = proposal
    sections = content.numberOfSections
    examined = sample.objects.count
    isBeginning = sample.isBeginning
    let store = content.store
    let largest = (0..<sections).map { store.numberOfObjects(in: $0) }.max() ?? 0
    switch proposal.outcome {
    case .sections(_, let nulls):
      isEstimate = sample.isPart
      // The first objects may differ from the others.
      let isScaled = sample.isPart && !sample.isBeginning
      objects = isScaled ? sample.total : content.numberOfObjects
      self.largest = isScaled ? Self.scaled(largest, from: sample) : largest
      self.nulls = isScaled ? Self.scaled(nulls, from: sample) : nulls
    case .ordered:
      (isEstimate, objects, self.largest, nulls) = (false, sample.total, sample.total, 0)
    case .selected: (isEstimate, objects, self.largest, nulls) = (false, largest, largest, 0)
    case .distinct:
      (isEstimate, objects, self.largest, nulls) = (sample.isPart, largest, largest, 0)
    }
  }

  /// The number of objects of all that correspond to some of a sample, with two significant digits.
  private static func scaled(_ count: Int, from sample: ObjectSample) -> Int {
    let number = Double(count) * Double(sample.total) / Double(max(1, sample.objects.count))
    var unit = 1.0
    while number / unit >= 100 { unit *= 10 }
    return Int((number / unit).rounded() * unit)
  }

  /// `3 sections, 5 objects in the largest, 2 without kind`, `1 section, 12 objects, the greatest
  /// radius first`
  var phrase: String {
    let about = isEstimate && !isBeginning ? "about " : ""
    let basis =
      isEstimate && isBeginning ? ", of the first \(counted(examined, "object"))" : ""
    switch proposal.outcome {
    case .sections(let key, _):
      let without = nulls > 0 ? ", \(about)\(nulls.grouped) without \(key)" : ""
      return
        "\(about)\(counted(sections, "section")), \(about)\(counted(largest, "object")) in the "
        + "largest\(without)\(basis)"
    case .ordered(let note), .selected(let note), .distinct(let note):
      return
        "\(counted(sections, "section")), \(about)\(counted(objects, "object")), \(note)\(basis)"
    }
  }
}

extension Session {
  /// The content of the source that a command returns; nil if it fails.
  fileprivate mutating func content(of command: String) async -> Snapshot? {
    let text = ScriptText(command)
    let (lines, mistakes) = Parser.parse(Span(text, 0..<text.bytes.count), commands: commands)
    guard mistakes.isEmpty, lines.count == 1, let line = lines.first,
      case .source(let source)? = try? await evaluate(line).operand
    else { return nil }
    return source.state.snapshot
  }
}
