import DataSources
import DataTables

/// A chain as one fetch request of Core Data with sections.
struct FetchForm {
  /// The data.
  let data: ChainSource
  private(set) var predicates: [Predicate] = []
  private(set) var sort: [SortDescriptor] = []
  private(set) var section: Section?
  private(set) var offset = 0
  private(set) var limit: Int?
  private(set) var batchSize: Int?
  private(set) var cacheName: String?
  private(set) var indexTitles: IndexTitles?
  /// Reasons why an app needs no code for a source.
  private(set) var notes: [String] = []

  struct Section {
    let key: ObjectKeyPath
    /// The name of the mode if it makes titles from dates.
    let span: String?
  }

  /// - Throws: ``CodeRefusal`` for a chain that needs more than one request.
  init(_ chain: SourceChain) throws(CodeRefusal) {
    guard chain.data.count == 1, let first = chain.data.first else {
      throw CodeRefusal(
        "an NSFetchedResultsController fetches one entity, and \(chain.top.name) has several "
          + "sources of data", use: "diffable")
    }
    data = chain.sources[first]
    for source in chain.sources { try add(source) }
    guard !sort.isEmpty else {
      throw CodeRefusal(
        "an NSFetchedResultsController needs a sort, and \(chain.top.name) has none",
        use: "diffable")
    }
  }

  private mutating func add(_ source: ChainSource) throws(CodeRefusal) {
    switch source.form.operation {
    case .data(let predicate): if let predicate { predicates.append(predicate) }
    case .none(let reason): notes.append(reason)
    case .request(let request, let titles):
      try add(request, of: source)
      if let titles { indexTitles = titles }
    case .join:
      throw CodeRefusal("a multi source has no fetch request", use: "diffable")
    case .unroll, .columns:
      throw CodeRefusal("\(source.name) makes objects that the store does not have", use: "library")
    }
    if case .fetchedResults(let request) = source.form {
      batchSize = request.batchSize
      cacheName = request.cacheName
    }
  }

  private mutating func add(
    _ request: ContentRequest, of source: ChainSource
  ) throws(CodeRefusal) {
    guard request.distinct == nil else {
      throw CodeRefusal("a fetch of managed objects has no distinct rows", use: "library")
    }
    if offset > 0 || limit != nil, request.predicate != nil || !request.sort.isEmpty {
      throw CodeRefusal("\(source.name) filters or sorts a limited list", use: "diffable")
    }
    if let predicate = request.predicate { predicates.append(predicate) }
    // The sort below decides between equal rows.
    let below = sort.filter { old in !request.sort.contains { $0.keyPath == old.keyPath } }
    sort = request.sort + below
    if request.offset > 0 || request.limit != nil {
      guard section == nil else {
        throw CodeRefusal("\(source.name) limits the rows of several sections", use: "library")
      }
      (offset, limit) = (request.offset, request.limit)
    }
    switch request.sections {
    case .kept(let showsEmpty):
      if showsEmpty, section != nil {
        throw CodeRefusal("a fetched results controller has no empty sections", use: "diffable")
      }
    case .whole: section = nil
    case .split(let key, let mode, let settings): try split(key, mode, settings, of: source)
    }
  }

  private mutating func split(
    _ key: ObjectKeyPath, _ mode: SectionMode, _ settings: SectionSettings,
    of source: ChainSource
  ) throws(CodeRefusal) {
    switch mode.name {
    case SectionMode.runs.name, SectionMode.strict.name: break
    case SectionMode.groups.name:
      guard let order = settings.order, order.titles.isEmpty, order.criterion == .title,
        order.comparison == .compare
      else {
        throw CodeRefusal(
          "the sections of an NSFetchedResultsController follow its sort, and groups do not",
          use: "diffable")
      }
      sort = [SortDescriptor(key, direction: order.direction)] + sort.filter { $0.keyPath != key }
    case SectionMode.collated.name:
      throw CodeRefusal(
        "an NSFetchedResultsController has no localized indexed collation", use: "diffable")
    case SectionMode.fixed.name:
      throw CodeRefusal("an NSFetchedResultsController has no fixed sections", use: "diffable")
    default:
      guard sort.first?.keyPath == key, sort.first?.direction == .ascending,
        settings.zone == .gmt, mode.name != SectionMode.organizedMonths.name
      else {
        throw CodeRefusal(
          "sections by \(mode.name) need a sort that begins with `\(key)`", use: "diffable")
      }
      section = Section(key: key, span: mode.name)
      return
    }
    if let first = sort.first, !key.steps.starts(with: first.keyPath.steps) {
      let isStrict = mode.name == SectionMode.strict.name
      guard isStrict, source.isFetched else {
        throw CodeRefusal(
          "an NSFetchedResultsController needs rows that are sorted by the key of its sections, "
            + "`\(key)`", fix: isStrict ? "fetch it first" : nil, use: "diffable")
      }
      // The fetch in the session would have failed if the sort separated rows of a section.
      notes.append(
        "The order by `\(first.keyPath)` must keep the rows with the same `\(key)` together, as it "
          + "does in the session; the controller fails otherwise.")
    }
    section = Section(key: key, span: nil)
  }

  /// The key paths that the request reads.
  var keyPaths: [ObjectKeyPath] {
    sort.map(\.keyPath) + [section?.key].compactMap { $0 } + predicates.flatMap(\.keyPaths)
  }
}
