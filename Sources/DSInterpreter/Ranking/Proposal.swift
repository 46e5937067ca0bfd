import DataTables

/// A command that arranges the objects of a source.
struct Proposal {
  let verb: String
  /// The arguments after the source.
  let rest: String
  let outcome: Outcome

  /// The form of the result. A note is a property of the only section, such as `the
  /// greatest radius first`.
  enum Outcome {
    /// Sections with all objects; some do not have the key.
    case sections(key: ObjectKeyPath, nulls: Int)
    /// One section with all objects.
    case ordered(note: String)
    /// One section with a fixed number of objects.
    case selected(note: String)
    /// One section with one object for each value.
    case distinct(note: String)

    /// nil for several sections.
    var note: String? {
      switch self {
      case .sections: nil
      case .ordered(let note), .selected(let note), .distinct(let note): note
      }
    }
  }

  /// - Parameter source: as it is written in a command.
  func command(over source: String) -> String { "\(verb) \(source) \(rest) | fetch" }

  private static let maxSections = 6
  private static let maxPerKey = 2

  /// Commands for the objects of a source, the best first.
  ///
  /// - Parameters:
  ///   - isSample: whether the source has other objects.
  ///   - isFlat: whether the source has one section.
  static func all(for profiles: [KeyProfile], isSample: Bool, isFlat: Bool) -> [Proposal] {
    let ideas = SectionIdea.ranked(profiles, isSample: isSample)
    var perKey: [ObjectKeyPath: Int] = [:]
    let best = ideas.filter { idea in
      perKey[idea.base, default: 0] += 1
      return perKey[idea.base, default: 0] <= maxPerKey
    }.prefix(maxSections)
    let kind = ideas.first { $0.key == $0.base }?.base
    let others = [organized(by: kind, profiles), isFlat ? distinct(by: kind) : nil]
    return best.map { Proposal($0) } + others.compactMap { $0 }
      + sorted(profiles)
  }

  private static func organized(by kind: ObjectKeyPath?, _ profiles: [KeyProfile]) -> Proposal? {
    guard let kind, let profile = profiles.first(where: { $0.path == kind }),
      profile.type == .string
    else { return nil }
    let name = profiles.first { $0.type == .string && $0.isUnique }
    let initial = name.map { " initial: \($0.path)" } ?? ""
    return Proposal(
      verb: "organized", rest: "alphabetically sort: \(kind)\(initial)",
      outcome: .sections(key: kind, nulls: profile.nulls))
  }

  private static func distinct(by kind: ObjectKeyPath?) -> Proposal? {
    kind.map {
      Proposal(
        verb: "distinct", rest: "by: \($0)", outcome: .distinct(note: "one for each \($0)"))
    }
  }

  /// Sorts by the first date, number and name.
  private static func sorted(_ profiles: [KeyProfile]) -> [Proposal] {
    // For a few values, sections are more useful.
    let varied = profiles.filter { $0.counts.count > min(100, $0.objects / 2) }
    var proposals: [Proposal] = []
    if let date = varied.first(where: \.hasDates)?.path {
      proposals.append(sorted("\(date) desc", "the latest \(date) first"))
    }
    let numbers = varied.filter { $0.type == .number }
    if let number = numbers.first(where: { !$0.areNumbersOfObjects }) ?? numbers.first {
      let note = "the greatest \(number.path) first"
      if number.objects > 10 {
        proposals.append(
          Proposal(
            verb: "top", rest: "10 by: \(number.path) desc", outcome: .selected(note: note)))
      }
      proposals.append(sorted("\(number.path) desc", note))
    }
    if let name = varied.first(where: { $0.type == .string && $0.isUnique && !$0.hasDates })?.path {
      proposals.append(sorted("\(name)", "in the order of \(name)"))
    }
    return proposals
  }

  private static func sorted(_ descriptor: String, _ note: String) -> Proposal {
    Proposal(verb: "sectioned", rest: "sort: \(descriptor)", outcome: .ordered(note: note))
  }
}

extension Proposal {
  fileprivate init(_ idea: SectionIdea) {
    self.init(
      verb: idea.verb, rest: idea.labels, outcome: .sections(key: idea.base, nulls: idea.nulls))
  }
}
