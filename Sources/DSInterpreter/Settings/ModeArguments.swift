import DataSources
import DataTables

/// The values of `empty:`.
enum EmptySections: String, CaseIterable {
  case show, hide
}

/// `mode:` and the labels that configure modes.
struct ModeArguments {
  static let mode = Label(
    "mode", .choice(Choices("mode", SectionMode.all.map(\.name), default: SectionMode.runs.name)),
    example: "groups")
  static let order = Label(
    "order", .phrase(.choice(GroupOrder.criteria), then: .choice(SortDescriptor.qualifiers)),
    "order of groups: title, count or a list of titles", example: "count desc")
  static let titles = Label(
    "titles", .list(.value), "titles of fixed sections: a range or a list", example: "A...Z")
  static let empty = Label(
    "empty", emptySections, "show or hide empty fixed and collated sections", example: "hide")
  static let other = Label(
    "other", .value, "title for rows that match no other title", example: "\"#\"")
  static let zone = Label(
    "zone", .zone, "time zone of days, weeks, months, years", example: "+01:00")
  static let locale = Label(
    "locale", .locale, "locale of collated sections and localized sorts", example: "sv")
  static let labels = [mode, order, titles, empty, other, zone, locale]

  static let emptySections = ArgumentType.choice(
    Choices("treatment of empty sections", EmptySections.self))
  private static let defaults = SectionSettings()

  private let mode: Argument?
  private let order: [Argument]?
  private let titles: [Argument]?
  private let empty: Argument?
  private let other: Argument?
  private let zone: Argument?
  private let locale: Argument?

  init(parsing arguments: Arguments) throws {
    mode = try arguments[Self.mode]
    order = arguments.groups(Self.order)?.flatMap { $0 }
    titles = arguments.groups(Self.titles)?.flatMap { $0 }
    empty = try arguments[Self.empty]
    other = try arguments[Self.other]
    zone = try arguments[Self.zone]
    locale = try arguments[Self.locale]
  }

  /// The labels that collated sections use.
  init(ofCollated arguments: Arguments) throws {
    empty = try arguments[Self.empty]
    locale = try arguments[Self.locale]
    (mode, order, titles, other, zone) = (nil, nil, nil, nil, nil)
  }

  /// Changes the settings that are given; `null` restores a default.
  ///
  /// - Parameter sort: the descriptors of the source, which may use the locale.
  func apply(
    to mode: inout SectionMode, _ settings: inout SectionSettings, sort: [SortDescriptor],
    in session: inout Session
  ) async throws {
    let newMode = try self.mode.map(Self.mode) ?? mode
    var new = settings
    if let locale { new.locale = try await locale.localeName(in: &session) }
    if let order {
      new.order =
        try await Self.listedOrder(order, in: &session)
        ?? GroupOrder(order, locale: new.locale)
    }
    new.order?.locale = new.locale
    if let titles { new.titles = try await Self.titles(titles, in: &session) }
    if let empty {
      new.showsEmpty = try empty.isNull || empty.choice(as: EmptySections.self) == .show
    }
    if let other {
      new.other = other.isNull ? Self.defaults.other : try await other.value(in: &session)
    }
    new.zone = try await zone?.zone(in: &session) ?? new.zone
    let isLocalized = sort.contains { $0.comparison.isLocalized }
    try checkLabels(of: newMode, sortsLocalized: isLocalized || new.order?.isLocalized ?? false)
    if newMode.settings.contains(.titles), new.titles.isEmpty,
      let place = self.mode ?? titles?.first
    {
      throw place.error(
        .badArgument, "mode `\(newMode.name)` needs titles; add `titles: A...Z`")
    }
    (mode, settings) = (newMode, new)
  }

  private static func mode(_ argument: Argument) throws -> SectionMode {
    if argument.isNull { return .runs }
    guard let mode = SectionMode.named(try argument.choice()) else { throw argument.mismatch() }
    return mode
  }

  /// - Throws: ``Diagnostic`` for a label that only other modes accept.
  private func checkLabels(of mode: SectionMode, sortsLocalized: Bool) throws {
    let given: [(SectionSettings.Name, Argument?)] = [
      (.order, order?.first), (.titles, titles?.first), (.empty, empty), (.other, other),
      (.zone, zone), (.locale, sortsLocalized ? nil : locale),
    ]
    for (name, argument) in given where !mode.settings.contains(name) {
      guard let argument else { continue }
      let modes = SectionMode.all.filter { $0.settings.contains(name) }.map(\.name)
      throw argument.error(
        .badArgument,
        "`\(name.rawValue):` belongs to `mode: \(modes.joined(separator: "` or `mode: "))`"
          + (name == .locale ? " or a localized sort" : "") + ", not to \(mode.name)")
    }
  }

  /// The order of a list of titles; nil for other arguments.
  private static func listedOrder(
    _ arguments: [Argument], in session: inout Session
  ) async throws -> GroupOrder? {
    guard let list = arguments.first, list.elements != nil || list.isCommand else { return nil }
    if arguments.count > 1 {
      throw arguments[1].error(.badArgument, "a list of titles is an order by itself")
    }
    let titles = try await Self.titles([list], in: &session)
    guard !titles.isEmpty else {
      throw list.error(.badArgument, "`order:` needs at least one title; `order: null` clears it")
    }
    return GroupOrder(titles: titles)
  }

  private static func titles(
    _ arguments: [Argument], in session: inout Session
  ) async throws -> [Value] {
    if arguments.count == 1, arguments[0].isNull { return [] }
    var titles: [Value] = []
    for argument in arguments {
      if let word = argument.word,
        let range = try argument.locating({ try SectionSettings.titles(ofRange: word) })
      {
        titles += range
      } else {
        let value = try await argument.value(in: &session)
        if case .array(let values) = value { titles += values } else { titles.append(value) }
      }
    }
    var seen: Set<Value> = []
    if let first = arguments.first,
      let repeated = titles.first(where: { !seen.insert($0).inserted })
    {
      throw first.error(
        .badArgument, "`\(first.label ?? "titles"):` contains \(repeated.excerpt) twice")
    }
    return titles
  }
}

extension GroupOrder {
  fileprivate static let criteria = Choices("order of groups", Criterion.self)

  fileprivate var isLocalized: Bool { criterion == .title && comparison.isLocalized }

  /// `title`, `count desc`, `title desc localizedStandard`; nil for `null`.
  fileprivate init?(_ arguments: [Argument], locale: String?) throws {
    guard let first = arguments.first, !(first.isNull && arguments.count == 1) else { return nil }
    self.init(try first.choice(), locale: locale)
    let directions = SortDescriptor.Direction.allCases.map(\.rawValue)
    let qualifiers =
      criterion == .title
      ? SortDescriptor.qualifiers : Choices(SortDescriptor.qualifiers.noun, directions)
    for word in arguments.dropFirst() {
      let text = try word.choice(of: qualifiers)
      direction = SortDescriptor.Direction(rawValue: text) ?? direction
      comparison = SortDescriptor.Comparison(rawValue: text) ?? comparison
    }
  }
}

/// `indexTitles: firstCharacter | initials | KEYPATH | [list]`
struct IndexTitlesArgument {
  static let label = Label(
    "indexTitles", .either([.choice(kinds), .keyPath(.someRows), .list(.value)]),
    "firstCharacter, initials, key path or list", example: "initials")
  private static let kinds = Choices("kind of index titles", Kind.self)

  private enum Kind: String, CaseIterable {
    case firstCharacter, initials
  }

  private let argument: Argument

  init?(parsing arguments: Arguments) throws {
    guard let argument = try arguments[Self.label] else { return nil }
    self.argument = argument
  }

  /// - Parameter source: the source whose objects have the keys.
  /// - Throws: ``Diagnostic`` of kind `unknownKey`; see ``Session/check(_:of:)``.
  func indexTitles(
    over source: any DataSource, in session: inout Session
  ) async throws -> IndexTitles {
    if argument.isNull { return .firstCharacter }
    switch argument.word.flatMap(Kind.init(rawValue:)) {
    case .firstCharacter: return .firstCharacter
    case .initials: return .initials
    case nil: break
    }
    guard argument.elements != nil else {
      let key = try await argument.keyPath(in: &session)
      if !key.path.isDerived { try check(key, of: source, in: session) }
      return .keyPath(key.path)
    }
    guard case .array(let values) = try await argument.value(in: &session) else {
      throw argument.mismatch()
    }
    return .list(
      values.map { value in if case .string(let string) = value { string } else { value.json } })
  }

  private func check(
    _ key: LocatedKeyPath, of source: any DataSource, in session: Session
  ) throws {
    do {
      try session.check(key, of: source)
    } catch var mistake as Diagnostic where key.path.steps.count == 1 {
      // A single word may also be a misspelled kind or derived key.
      let near = Self.kinds.words + DerivedKey.all.map(\.name)
      mistake.suggestion = mistake.suggestion ?? Suggestion.nearest(to: key.span.text, among: near)
      throw mistake
    }
  }
}
