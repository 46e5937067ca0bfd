import CodeWriting
import DataSources
import DataTables
import Databases

/// Describes the sources of a session as values, for code.
struct ChainDescription {
  private var sources: [ChainSource] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private let session: Session
  /// The number of objects from which the types of the keys are found.
  private static let mostObjects = 10_000

  /// - Parameter root: the source whose chain is described.
  static func chain(
    of root: any DataSource, in session: Session
  ) async throws -> (chain: SourceChain, place: [ObjectIdentifier: Int]) {
    var description = ChainDescription(session: session)
    // Children first: a stack, because a script can nest sources to any depth.
    var open: [(source: any DataSource, isReady: Bool)] = [(root, false)]
    while let (source, isReady) = open.popLast() {
      if description.places[ObjectIdentifier(source)] != nil { continue }
      if isReady {
        try await description.add(source)
      } else {
        open.append((source, true))
        for child in source.children.reversed() { open.append((child, false)) }
      }
    }
    return (SourceChain(description.sources), description.places)
  }

  private init(session: Session) { self.session = session }

  private mutating func add(_ source: any DataSource) async throws {
    places[ObjectIdentifier(source)] = sources.count
    sources.append(
      ChainSource(
        name: name(of: source), title: source.state.name, summary: source.summary,
        form: try await Self.form(of: source, in: session.options.folder),
        children: source.children.compactMap { places[ObjectIdentifier($0)] },
        id: source.state.id, shape: try await Self.shape(of: source),
        rows: try await Self.rows(of: source), isOutdated: isOutdated(source),
        isFetched: source.state.snapshot != nil && source.state.error == nil))
  }

  private func isOutdated(_ source: any DataSource) -> Bool {
    if let source = source as? StaleSource, source.isOutdated { return true }
    return source.children.contains { child in
      places[ObjectIdentifier(child)].map { sources[$0].isOutdated } ?? false
    }
  }

  /// The name of a source; for one without, that of its kind or of its data.
  private func name(of source: any DataSource) -> String {
    if let name = session.boundName(of: source) { return name }
    if !source.state.name.isEmpty { return source.state.name }
    if let table = source as? TableSource { return table.table.schema.name.name }
    if let path = (source as? SimpleSource)?.path { return LoadedName.ofFile(path) }
    return type(of: source).kind
  }

  /// The kinds of sources, each with its description; the first that applies is used.
  private static func forms(
    in folder: String
  ) -> [(any DataSource) async throws -> SourceForm?] {
    [
      form { (source: SimpleSource) in try await simple(source, in: folder) },
      form { (source: RemoteSource) in
        .remote(
          RemoteForm(
            source.request, options: source.options,
            placeholders: placeholders(source.placeholders)))
      },
      form { (source: PaginatedSource) in
        var form = RemoteForm(
          source.request, options: source.options, placeholders: placeholders(source.placeholders),
          paging: source.paging)
        form.prefetches = source.prefetches
        let isUsual = source.pageLimit == PaginatedSource.defaultPageLimit
        form.pageLimit = isUsual ? nil : source.pageLimit
        return .remote(form)
      },
      form { (source: TableSource) in
        .table(
          TableForm(
            engine: source.database.driver.name,
            address: source.database.connection.address.description,
            table: source.table.schema.name.name, schema: source.table.schema.name.schema))
      },
      form { (source: QuerySource) in
        .table(
          TableForm(
            engine: source.database.driver.name,
            address: source.database.connection.address.description,
            statement: source.database.text(of: source.statement)))
      },
      form { (source: SectionedSource) in .sectioned(SectionedForm(source)) },
      form { (source: CollatedSource) in .collated(CollatedForm(source)) },
      form { (source: OrganizedSource) in .organized(OrganizedForm(source)) },
      form { (source: MultiSource) in .multi(preservesSections: source.preservesSections) },
      form { (source: FilteredSource) in
        .filtered(source.predicate, showsEmpty: source.showsEmpty)
      },
      form { (source: FetchedResultsSource) in .fetchedResults(source.request) },
      form { (source: DistinctSource) in .distinct(source.keys) },
      form { (source: LimitedSource) in .limit(source.limit, offset: source.offset) },
      form { (source: TopSource) in .top(source.limit, by: source.sort) },
      form { (source: UnrolledSource) in .unroll(source.path, keepsEmpty: source.keepsEmpty) },
      form { (source: ColumnsSource) in .columns(source.columns) },
      form { (source: SlowSource) in .slow(by: source.delay) },
      form { (source: FaultySource) in .faulty(source.faults) },
      form { (source: StaleSource) in .stale(isStale: source.isStale) },
    ]
  }

  private static func form<Source: DataSource>(
    _ describe: @escaping (Source) async throws -> SourceForm
  ) -> (any DataSource) async throws -> SourceForm? {
    { source in
      guard let source = source as? Source else { return nil }
      return try await describe(source)
    }
  }

  private static func form(
    of source: any DataSource, in folder: String
  ) async throws -> SourceForm {
    for form in forms(in: folder) {
      if let form = try await form(source) { return form }
    }
    throw CodeRefusal("a source of the kind `\(type(of: source).kind)` has no code", use: nil)
  }

  private static func placeholders(_ set: Set<Placeholder>) -> [Placeholder] {
    Placeholder.allCases.filter(set.contains)
  }

  private static func simple(
    _ source: SimpleSource, in folder: String
  ) async throws -> SourceForm {
    guard let path = source.path, let options = source.options else {
      // The objects that the predicate hides have no effect.
      return .simple(try await source.allObjects(), where: source.predicate)
    }
    // A path that was typed from the folder of the script is written from there.
    let isTyped = path.hasPrefix("/") && !folder.hasPrefix("/")
    let shown = isTyped ? path : FilePath.relative(path, to: folder)
    return .file(
      FileForm(
        path: shown, isPattern: source.fileKey != nil, format: source.report?.format ?? "",
        options: options, predicate: source.predicate))
  }

  /// The objects of a source without children, if they are few.
  private static func rows(of source: any DataSource) async throws -> [Value]? {
    guard source.children.isEmpty, let snapshot = source.state.snapshot,
      snapshot.numberOfObjects <= ChainSource.mostRows
    else { return nil }
    return try await source.allObjects()
  }

  /// The shape of the first objects of a source; of none before its first fetch.
  private static func shape(of source: any DataSource) async throws -> ValueShape {
    var shape = ValueShape()
    guard let snapshot = source.state.snapshot else { return shape }
    var count = 0
    for try await batch in snapshot.batches() {
      for object in batch.objects.prefix(mostObjects - count) { shape.add(object) }
      count += batch.objects.count
      if count >= mostObjects { break }
    }
    return shape
  }
}
