import DataSources
import DataTables

/// `sections SOURCE [with: OPERATORS] [order: CRITERIA]`
struct SectionsCommand: Command {
  static let names = ["sections"]
  static let parameters = [Parameter.source]
  static let labels = SectionColumns.labels
  static let synopsis = "sections SOURCE [with: OPERATORS] [order: CRITERIA]"
  static let summary = "Shows the sections of a source with their titles, index titles and sizes."
  static let examples = [
    "sections letters", "sections letters with: @min.name, @max.name order: count desc, title",
  ]
  static let seeAlso = ["titles", "indexTitles", "show", "fetch", "keys"]

  private let source: SourceArgument
  private let columns: SectionColumns

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    columns = SectionColumns(parsing: arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    session.contentReads?.add(.sections, of: source)
    let sections = try await SourceProperty.sections(source)
    let added = try await columns.columns(of: source, snapshot, in: &session)
    let sequence = try await columns.sequence(of: source, snapshot, in: &session)
    let rows = sequence.map { section -> [Value] in
      guard case .record(let record) = sections[section] else { return [] }
      return record.values + added.map { $0.values[section] }
    }
    let grid = Grid(
      columns: [
        Grid.Column("section"), Grid.Column("title"), Grid.Column("index", key: "indexTitle"),
        Grid.Column("objects", key: "count"),
      ] + added.map { Grid.Column($0.name) }, rows: rows)
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }
}

/// The labels of `sections`: `with: @count, @sum.price` and `order: @sum.price desc`.
private struct SectionColumns {
  private static let columns = Label(
    "with", .list(.aggregate), "collection operators over the objects of a section",
    example: "@sum.price, @max.when")
  private static let order = Label(
    "order", .list(.phrase(criterion, then: .choice(SortDescriptor.qualifiers))),
    "section, title, count or an operator, asc or desc", example: "@sum.price desc")
  static let labels = [columns, order]
  private static let criterion = ArgumentType.either([
    .choice(Choices("criterion", Criterion.self)), .aggregate,
  ])

  private enum Criterion: String, CaseIterable {
    case section, title, count
  }

  private let columns: [[Argument]]
  private let order: [[Argument]]

  init(parsing arguments: Arguments) {
    columns = arguments.groups(Self.columns) ?? []
    order = arguments.groups(Self.order) ?? []
  }

  /// The header and the values of each column that `with:` adds; one value for each section.
  func columns(
    of source: any DataSource, _ snapshot: Snapshot, in session: inout Session
  ) async throws -> [(name: String, values: [Value])] {
    var result: [(name: String, values: [Value])] = []
    for group in columns {
      if group.count > 1 {
        throw group[1].error(.syntax, "separate the columns of `with:` with commas")
      }
      guard let argument = group.first else { continue }
      let key = try await argument.keyPath(in: &session)
      let values = try await values(key, argument, of: source, snapshot, in: &session)
      result.append((key.path.description, values))
    }
    return result
  }

  /// The sections in the requested order.
  func sequence(
    of source: any DataSource, _ snapshot: Snapshot, in session: inout Session
  ) async throws -> [Int] {
    let count = snapshot.numberOfSections
    var columns: [[Value]] = []
    var descriptors: [SortDescriptor] = []
    for group in order {
      guard let first = group.first else { continue }
      let key = ObjectKeyPath([.index(columns.count)])
      var descriptor = SortDescriptor(key)
      for word in group.dropFirst() { try descriptor.apply(word) }
      descriptors.append(descriptor)
      columns.append(try await criterion(first, of: source, snapshot, in: &session))
    }
    let rows = (0..<count).map { section in Value.array(columns.map { $0[section] }) }
    let sorted = try ValueTable(rows).sorted(
      .natural(count), by: descriptors, cancellation: session.cancellation)
    return (0..<count).map { sorted[$0] }
  }

  private func criterion(
    _ argument: Argument, of source: any DataSource, _ snapshot: Snapshot,
    in session: inout Session
  ) async throws -> [Value] {
    let sections = 0..<snapshot.numberOfSections
    switch argument.word.flatMap(Criterion.init(rawValue:)) {
    case .section: return sections.map { .integer($0) }
    case .title: return try await snapshot.titles()
    case .count: return sections.map { .integer(snapshot.store.numberOfObjects(in: $0)) }
    case nil:
      let argument = argument.typed(Self.criterion)
      try argument.check()
      let key = try await argument.keyPath(in: &session)
      return try await values(key, argument, of: source, snapshot, in: &session)
    }
  }

  private func values(
    _ key: LocatedKeyPath, _ argument: Argument, of source: any DataSource, _ snapshot: Snapshot,
    in session: inout Session
  ) async throws -> [Value] {
    let kind = try argument.aggregate(key)
    let rest = ObjectKeyPath(Array(key.path.steps.dropFirst()))
    if kind != .count, !rest.steps.isEmpty {
      try session.check(LocatedKeyPath(path: rest, span: key.span), of: source)
    }
    let aggregates = try await snapshot.aggregates(of: key.path, session.requestContext)
    try session.warn(
      about: OperatorUse(kind: kind, rest: rest, findings: aggregates.findings), of: source)
    return aggregates.values
  }
}
