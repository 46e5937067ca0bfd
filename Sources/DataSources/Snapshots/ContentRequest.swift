public import DataTables

/// A request of a source to the content that it wraps: the objects, their order and their sections. A ``SnapshotStore`` answers it.
///
/// The parts apply in the order of the properties: objects are selected, then compared, sorted,
/// limited and split into sections. A part without a value changes nothing.
public struct ContentRequest: Hashable, Sendable {
  /// nil keeps all objects.
  public var predicate: Predicate?
  /// The keys by which objects are compared: only the first of equal ones is kept. Objects are
  /// compared as a whole if the array is empty; nil keeps equal objects.
  public var distinct: [ObjectKeyPath]?
  /// The sort descriptors, the most significant first; empty keeps the order.
  public var sort: [SortDescriptor]
  /// The number of objects left out at the start.
  public var offset: Int
  /// The maximum number of objects; nil for all.
  public var limit: Int?
  public var sections: SectionRequest

  public init(
    where predicate: Predicate? = nil, distinct: [ObjectKeyPath]? = nil,
    sort: [SortDescriptor] = [], offset: Int = 0, limit: Int? = nil,
    sections: SectionRequest = .kept(showsEmpty: false)
  ) {
    self.predicate = predicate
    self.distinct = distinct
    self.sort = sort
    self.offset = max(0, offset)
    self.limit = limit.map { max(0, $0) }
    self.sections = sections
  }

  /// Whether the request changes neither the objects nor the sections.
  public var isEmpty: Bool {
    guard case .kept = sections else { return false }
    return predicate == nil && distinct == nil && sort.isEmpty && !isLimited
  }

  /// Whether the objects stay in the sections of the content.
  var keepsSections: Bool { if case .kept = sections { true } else { false } }

  /// Whether ``offset`` or ``limit`` can leave out objects.
  public var isLimited: Bool { offset > 0 || limit != nil }

  /// The key of the sections; nil without one.
  public var key: ObjectKeyPath? {
    if case .split(let key, _, _) = sections { key } else { nil }
  }

  /// Whether the order of the sections is independent of the sort. The sort then only explains the
  /// order of the rows within each section.
  public var ordersSections: Bool {
    if case .split(_, let mode, _) = sections { !mode.keepsOrder } else { false }
  }

  /// All key paths that the request reads, each once.
  public var keyPaths: [ObjectKeyPath] {
    var paths: [ObjectKeyPath] = []
    let all =
      (predicate?.keyPaths ?? []) + (distinct ?? []) + sort.map(\.keyPath)
      + (key.map { [$0] } ?? [])
    for path in all where !paths.contains(path) { paths.append(path) }
    return paths
  }

  /// Evaluates the predicate on an object, with an explanation such as
  /// `age >= 18 is false for it; age is 7`; nil without a predicate.
  /// - Throws: `TableError`, `badArgument` for a part of the predicate that is neither true nor
  ///   false.
  func evaluatePredicate(on object: Value) throws -> (holds: Bool, explanation: String)? {
    guard let predicate else { return nil }
    let holds = try predicate.holds(on: object)
    var parts: [String] = []
    for path in predicate.keyPaths {
      let part = "\(path) is \(path.evaluate(on: object).excerpt)"
      if !parts.contains(part) { parts.append(part) }
    }
    let values = parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
    return (holds, "\(predicate) is \(holds) for it" + values)
  }
}

extension ContentRequest: CustomStringConvertible {
  /// `where age >= 18, distinct by city, sorted by name, at most 10, sectioned by city (runs)`; ""
  /// for a request that changes nothing.
  public var description: String {
    var parts = predicate.map { ["where \($0)"] } ?? []
    if let distinct {
      let keys = distinct.map(\.description).joined(separator: ", ")
      parts.append(keys.isEmpty ? "distinct" : "distinct by \(keys)")
    }
    if !sort.isEmpty {
      parts.append("sorted by " + sort.map(\.description).joined(separator: ", "))
    }
    if offset > 0 { parts.append("after \(offset)") }
    if let limit { parts.append("at most \(limit)") }
    if case .split(let key, let mode, _) = sections {
      parts.append("sectioned by \(key) (\(mode.name))")
    }
    return parts.joined(separator: ", ")
  }
}

/// The sections that a request wants.
public enum SectionRequest: Hashable, Sendable {
  /// The sections of the content, which a sort does not leave. Sections that become empty are
  /// removed unless `showsEmpty`; the single untitled section of flat content stays.
  case kept(showsEmpty: Bool)
  /// One section, titled "", even without objects.
  case whole
  /// Sections by a key. With a sort, the sections of a mode that keeps the order follow it.
  case split(by: ObjectKeyPath, SectionMode, SectionSettings)

  /// Sections by a key, or one section without a key.
  static func by(
    _ key: ObjectKeyPath?, _ mode: SectionMode = .runs,
    _ settings: SectionSettings = SectionSettings()
  ) -> SectionRequest {
    key.map { .split(by: $0, mode, settings) } ?? .whole
  }
}

/// The cancellation, the progress and the limits of the answer to a request.
public struct RequestContext: Sendable {
  public var cancellation: Cancellation
  public var progress: Progress
  /// The maximum number of objects to copy from content that cannot answer a request; nil for no
  /// limit.
  public var copyLimit: Int?
  /// The number of objects to read at a time from content that is not in memory; nil for the
  /// default of the content.
  public var batchSize: Int?
  /// Content of fewer objects is copied to find its changes later, because that is quick and keeps the
  /// deleted objects; changes of larger content are found by hashes if the store can.
  public var minTracked = 20_000
  /// The content that answered the same request before an edit of the objects; nil to compute all
  /// content.
  var previous: Snapshot?
  /// Where an engine finds and keeps what it computes; nil without a cache.
  public var cache: FetchCache?

  public init(
    cancellation: Cancellation = Cancellation(), progress: Progress = Progress(),
    copyLimit: Int? = nil, batchSize: Int? = nil
  ) {
    self.cancellation = cancellation
    self.progress = progress
    self.copyLimit = copyLimit
    self.batchSize = batchSize
  }
}

/// The content that answers a request, or the part of it that a store could compute.
public struct StoreAnswer: Sendable {
  public var store: any SnapshotStore
  /// The part of the request that remains to be computed over ``store``; nil when it is answered.
  public var rest: ContentRequest?
  /// Why each part of ``rest`` was not computed: `MATCHES in name MATCHES '.*x'`.
  public var reasons: [String]
  /// For each section of ``store``, its section in the store that was asked; nil for new sections.
  public var keptSections: [Int]?
  /// Titles that several sections have.
  public var repeatedTitles: [RepeatedTitle]
  /// Unusual properties of the key of the sections.
  public var findings: [KeyFinding]

  public init(
    _ store: any SnapshotStore, rest: ContentRequest? = nil, reasons: [String] = [],
    keptSections: [Int]? = nil, repeatedTitles: [RepeatedTitle] = [], findings: [KeyFinding] = []
  ) {
    self.store = store
    self.rest = rest
    self.reasons = reasons
    self.keptSections = keptSections
    self.repeatedTitles = repeatedTitles
    self.findings = findings
  }
}
