import DataSources
import DataTables
import Pictures

/// `compare SOURCE key: KEYPATH [modes: MODE, …] [sort: DESCRIPTORS] …`
struct CompareCommand: Command {
  private static let key = Label(
    "key", .keyPath(.someRows), "key path of the sections", example: "kind")
  private static let modes = Label(
    "modes", .list(.choice(Choices("mode", SectionMode.all.map(\.name)))),
    "section modes; runs, groups, fixed and collated if omitted", example: "runs, groups")
  private static let first = Label(
    "first", .positiveInteger,
    "most sections of each mode; \(SessionOptions.usualParts) if omitted", example: "5")
  private static let usualModes: [SectionMode] = [.runs, .groups, .fixed, .collated]

  static let names = ["compare"]
  static let parameters = [Parameter.source]
  static let labels = [
    key, modes, SortArguments.label, ModeArguments.titles, first, PictureArgument.label,
  ]
  static let synopsis =
    "compare SOURCE key: KEYPATH [modes: MODE, …] [sort: DESCRIPTORS] [titles: VALUE, …] …"
  static let summary = "Shows the sections that several modes make of the same rows, side by side."
  static let notes =
    [
      "The sections are those of `sectioned SOURCE key: … mode: …`; nothing is bound or fetched.",
      "A star marks a section that another mode lacks, or has with other rows or at another place.",
      "`titles:` are those of fixed sections. A mode that refuses the rows shows its reason.",
      "",
      "`as:` draws the picture in another way, for a file:",
    ] + PictureArgument.notes
  static let examples = [
    "compare foods key: kind modes: runs, groups",
    "compare foods key: name.firstCharacter sort: name titles: A...Z",
    "compare foods key: kind modes: groups, runs sort: kind as: mermaid",
  ]
  static let seeAlso = ["sectioned", "suggest", "plot", "modes"]

  private let source: SourceArgument
  private let key: Argument
  private let modes: [Argument]?
  private let sort: [[Argument]]?
  private let titles: [[Argument]]?
  private let first: Argument?
  private let drawing: PictureArgument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    guard let key = try arguments[Self.key] else { throw arguments.missing("`key:`") }
    self.key = key
    modes = arguments.list(Self.modes)
    sort = arguments.groups(SortArguments.label)
    titles = arguments.groups(ModeArguments.titles)
    first = try arguments[Self.first]
    drawing = try PictureArgument(parsing: arguments)
    for mode in modes ?? [] { _ = try mode.choice() }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let content = try session.content(of: source, at: self.source.span)
    // Mistakes that would be those of every mode are reported at their place.
    try session.check(try await key.keyPath(in: &session), of: source)
    _ = try await SortArguments(groups: sort).descriptors(changing: [], over: source, in: &session)
    let names = try modes?.map { try $0.choice() } ?? Self.usualModes.map(\.name)
    let bound = session.boundName(of: source) ?? Self.unboundName
    var trials: [ModeTrial] = []
    for name in names {
      try session.cancellation.check()
      trials.append(
        try await ModeTrial(
          name, of: content, as: bound, command: command(name, over: bound), in: session))
    }
    let comparison = try await ModeComparison(trials)
    let picture = comparison.picture(
      "modes of \(session.displayName(of: source)) by \(key.span.text)",
      first: try first?.integer() ?? session.options.shownParts)
    if let drawing { return try await drawing.result(of: picture, in: &session) }
    let grid = comparison.grid
    return CommandResult(.value(grid.records), Output(.picture(picture, rows: grid)))
  }

  /// The name of a source without one, in the commands that are run.
  private static let unboundName = "rows"

  /// `sectioned foods key: kind sort: kind mode: runs | fetch`
  private func command(_ mode: String, over name: String) -> String {
    var command = "sectioned \(name) key: \(key.span.text)"
    if let sort { command += " sort: \(Self.written(sort))" }
    command += " mode: \(mode)"
    if let titles, SectionMode.named(mode)?.settings.contains(.titles) ?? false {
      command += " titles: \(Self.written(titles))"
    }
    return command + " | fetch"
  }

  private static func written(_ groups: [[Argument]]) -> String {
    groups.map { $0.map(\.span.text).joined(separator: " ") }.joined(separator: ", ")
  }
}

/// The sections of several modes, and the differences between them.
private struct ModeComparison {
  private struct Section: Hashable {
    let title: Value
    let objects: Int
  }
  private let trials: [ModeTrial]
  private var sections: [[Section]] = []
  /// For each mode, the positions of the sections that another mode lacks or has elsewhere.
  private var differences: [Set<Int>] = []

  init(_ trials: [ModeTrial]) async throws {
    self.trials = trials
    for trial in trials {
      let titles = try await trial.content?.titles() ?? []
      sections.append(
        titles.enumerated().map { section, title in
          Section(
            title: title, objects: trial.content?.store.numberOfObjects(in: section) ?? 0)
        })
    }
    differences = sections.map { _ in [] }
    for left in sections.indices where trials[left].content != nil {
      for right in sections.indices where right != left && trials[right].content != nil {
        differences[left].formUnion(Self.missing(sections[left], from: sections[right]))
      }
    }
  }

  /// The positions of the sections that are not in a longest part that both lists have in one order.
  private static func missing(_ sections: [Section], from others: [Section]) -> [Int] {
    var places: [Section: [Int]] = [:]
    for (position, section) in others.enumerated().reversed() {
      places[section, default: []].append(position)
    }
    // The k-th section with a title and a size is paired with the k-th such section.
    let paired = sections.map { places[$0]?.popLast() }
    let known = sections.indices.filter { paired[$0] != nil }
    let kept = IncreasingSubsequence.longestIndexes(of: known.compactMap { paired[$0] })
    let common = Set(kept.map { known[$0] })
    return sections.indices.filter { !common.contains($0) }
  }

  func picture(_ title: String, first limit: Int) -> Picture {
    let columns = trials.indices.map { index -> Picture.Column in
      let all = sections[index]
      let items = all.prefix(limit).enumerated().map { position, section in
        Picture.Column.Item(
          section.title.label, detail: section.objects.grouped,
          isDifferent: differences[index].contains(position))
      }
      let notes =
        trials[index].content == nil
        ? ["refused: \(trials[index].refusal)"] : [counted(all.count, "section")]
      return Picture.Column(trials[index].mode, notes: notes, items: items)
    }
    let longest = sections.map(\.count).max() ?? 0
    let note =
      longest > limit
      ? "… \(counted(longest - limit, "more section")); `first: \(longest)` shows all" : nil
    return Picture(title, .columns(columns), note: note)
  }

  var grid: Grid {
    let rows = trials.indices.flatMap { index -> [[Value]] in
      let mode = Value.string(trials[index].mode)
      if trials[index].content == nil {
        return [[mode, .null, .null, .null, .null, .string(trials[index].refusal)]]
      }
      return sections[index].enumerated().map { position, section in
        [
          mode, .integer(position), section.title, .integer(section.objects),
          .bool(differences[index].contains(position)), .null,
        ]
      }
    }
    return Grid(
      columns: ["mode", "section", "title", "count", "differs", "error"].map { Grid.Column($0) },
      rows: rows)
  }
}
