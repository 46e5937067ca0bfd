import DataSources
import DataTables

/// `mode:` and what modes can be told: `order:`, `titles:`, `empty:`, `other:`, `zone:`, `locale:`.
struct ModeArguments {
  static let labels = [
    Label(
      "mode", SectionMode.all.map(\.name).joined(separator: " "), example: "groups",
      completion: .words(SectionMode.all.map(\.name))),
    Label(
      "order", "of groups: title or count, asc or desc", example: "count desc",
      completion: .words(GroupOrder.words)),
    Label("titles", "of fixed sections: a range or a list", example: "A...Z"),
    Label(
      "empty", "empty fixed and collated sections: show, hide", example: "hide",
      completion: .words(["show", "hide"])),
    Label("other", "the title for rows that match no other", example: "\"#\""),
    Label("zone", "of days, months, years, weeks", example: "+01:00"),
    Label("locale", "of collated sections and localized sorts", example: "sv"),
  ]
  private static let usual = SectionSettings()

  private let mode: Argument?
  private let order: [Argument]?
  private let titles: [Argument]?
  private let empty: Argument?
  private let other: Argument?
  private let zone: Argument?
  private let locale: Argument?

  init(parsing arguments: Arguments) throws {
    mode = try arguments.label("mode")
    order = arguments.groups("order")?.flatMap { $0 }
    titles = arguments.groups("titles")?.flatMap { $0 }
    empty = try arguments.label("empty")
    other = try arguments.label("other")
    zone = try arguments.label("zone")
    locale = try arguments.label("locale")
  }

  /// The mode and its settings, those that are not given as they were; `null` is what they are
  /// unless given.
  ///
  /// - Parameter sort: the descriptors of the source, which the locale may be for instead.
  func apply(
    to mode: inout SectionMode, _ settings: inout SectionSettings, sort: [SortDescriptor],
    in session: inout Session
  ) async throws {
    let newMode = try self.mode.map(Self.mode) ?? mode
    var new = settings
    if let locale { new.locale = try await locale.localeName(in: &session) }
    if let order { new.order = try GroupOrder(order, locale: new.locale) }
    new.order?.locale = new.locale
    if let titles { new.titles = try await Self.titles(titles, in: &session) }
    if let empty { new.showsEmpty = try empty.isNull || empty.showsEmpty() }
    if let other {
      new.other = other.isNull ? Self.usual.other : try await other.value(in: &session)
    }
    new.zone = try await zone?.zone(in: &session) ?? new.zone
    let isLocalized = sort.contains { $0.comparison.isLocalized }
    try checkLabels(of: newMode, sortsLocalized: isLocalized || new.order?.isLocalized ?? false)
    if newMode.settings.contains(.titles), new.titles.isEmpty,
      let place = self.mode ?? titles?.first
    {
      throw place.error(
        .badArgument, "mode `\(newMode.name)` wants `titles:`, as in `titles: A...Z`")
    }
    (mode, settings) = (newMode, new)
  }

  private static func mode(_ argument: Argument) throws -> SectionMode {
    if argument.isNull { return .runs }
    let name = try argument.choice(of: SectionMode.all.map(\.name), for: "mode")
    return SectionMode.named(name) ?? .runs
  }

  /// - Throws: ``Diagnostic`` for a label that another mode takes.
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

  private static func titles(
    _ arguments: [Argument], in session: inout Session
  ) async throws -> [Value] {
    if arguments.count == 1, arguments[0].isNull { return [] }
    var titles: [Value] = []
    for argument in arguments {
      if let word = argument.word,
        let range = try argument.checking({ try SectionSettings.titles(ofRange: word) })
      {
        titles += range
      } else {
        let value = try await argument.value(in: &session)
        if case .array(let values) = value { titles += values } else { titles.append(value) }
      }
    }
    var seen: Set<Value> = []
    if let first = arguments.first,
      let double = titles.first(where: { !seen.insert($0).inserted })
    {
      throw first.error(.badArgument, "`titles:` has \(double.excerpt) twice")
    }
    return titles
  }
}

extension GroupOrder {
  fileprivate static let words =
    Criterion.allCases.map(\.rawValue) + SortDescriptor.Direction.allCases.map(\.rawValue)

  fileprivate var isLocalized: Bool { criterion == .title && comparison.isLocalized }

  /// `title`, `count desc`, `title desc localizedStandard`; `null` is no order.
  fileprivate init?(_ arguments: [Argument], locale: String?) throws {
    guard let first = arguments.first, !(first.isNull && arguments.count == 1) else { return nil }
    let criterion = try first.choice(
      of: Criterion.allCases.map(\.rawValue), for: "order of groups")
    self.init(Criterion(rawValue: criterion) ?? .title, locale: locale)
    let comparisons = SortDescriptor.Comparison.allCases.map(\.rawValue)
    let directions = SortDescriptor.Direction.allCases.map(\.rawValue)
    for word in arguments.dropFirst() {
      let text = try word.choice(
        of: directions + (self.criterion == .title ? comparisons : []),
        for: "direction or comparison")
      direction = SortDescriptor.Direction(rawValue: text) ?? direction
      comparison = SortDescriptor.Comparison(rawValue: text) ?? comparison
    }
  }
}
