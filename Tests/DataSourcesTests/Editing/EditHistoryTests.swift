import DataSources
import DataTables
import TestSupport
import Testing

/// Random histories of edits, transactions, undo and settings, through all kinds of wrappers.
@Suite struct EditHistoryTests {
  /// For each argument. Debug builds take seconds for ten.
  #if DEBUG
    private static let histories = 5
  #else
    private static let histories = 1_250
  #endif
  private static let steps = 25

  @Test(arguments: 0..<8) func historiesKeepAllSourcesInStep(part: Int) async throws {
    for seed in part * Self.histories..<(part + 1) * Self.histories {
      var history = try await History(seed: UInt64(seed))
      for step in 0..<Self.steps {
        try await history.step()
        let broken = try await history.broken()
        #expect(broken == [], "seed \(seed), step \(step), \(history.last)")
        guard broken == [] else { return }
      }
      #expect(history.made > 0)
    }
  }
}

/// Two sources, their wrappers, and the states that undo and redo lead to.
private struct History {
  private var random: SplitMix64
  private let owners: [SimpleSource]
  private let wrappers: [Wrapper]
  /// The objects of both owners before and after each edit.
  private var states: [ObjectIdentifier: (group: EditGroup, before: [[Value]], after: [[Value]])] =
    [:]
  private var nextID = 0
  private(set) var last = ""
  /// The number of edits that were made.
  private(set) var made = 0

  /// A wrapper, and how to make another one with the settings of its last fetch.
  private struct Wrapper {
    let source: any DataSource
    let make: () throws -> any DataSource
  }

  init(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let first = (0..<random.below(7)).map { Self.object($0, &random) }
    let second = (7..<7 + random.below(4)).map { Self.object($0, &random) }
    self.random = random
    nextID = 20
    let owners = [SimpleSource(first, name: "a"), SimpleSource(second, name: "b")]
    for owner in owners { owner.id = ObjectKeyPath(key: "id") }
    self.owners = owners
    wrappers = try Self.wrappers(over: owners)
    for wrapper in wrappers { try await wrapper.source.fetchData() }
  }

  private static func wrappers(over owners: [SimpleSource]) throws -> [Wrapper] {
    let key = ObjectKeyPath(key: "k")
    let byKey = [SortDescriptor(key)]
    let byValue = [SortDescriptor(ObjectKeyPath(key: "v"), direction: .descending)]
    let small = Predicate.comparison(
      try Predicate.Comparison(
        .key(ObjectKeyPath(key: "v")), ComparisonOperator(.less), .value(3)))
    func wrapper(_ make: @escaping () throws -> any DataSource) throws -> Wrapper {
      Wrapper(source: try make(), make: make)
    }
    let both = try wrapper { MultiSource(owners) }
    let kept = try wrapper { MultiSource(owners, preservesSections: true) }
    let filtered = try wrapper { FilteredSource(both.source, where: small) }
    let sorted = try wrapper { SectionedSource(both.source, key: key, sort: byKey) }
    let groups = try wrapper { SectionedSource(filtered.source, key: key, mode: .groups) }
    let request = try FetchRequest(sort: byKey + byValue, section: key)
    let results = try wrapper {
      let source = FetchedResultsSource(owners[0], request: request)
      source.state.isWatched = true
      return source
    }
    let columns = try wrapper {
      ColumnsSource(
        sorted.source,
        ["id", "k"].map { ProjectedTable.Column(key: $0, path: ObjectKeyPath(key: $0)) })
    }
    return [
      both, kept, filtered, sorted, groups, results, columns,
      try wrapper { SectionedSource(owners[0], sort: byValue) },
      try wrapper { LimitedSource(sorted.source, limit: 3, offset: 1) },
      try wrapper { TopSource(both.source, limit: 4, by: byValue) },
      try wrapper { DistinctSource(both.source, by: [key]) },
      try wrapper { CollatedSource(owners[0], key: ObjectKeyPath(key: "n")) },
    ]
  }

  private static func object(_ id: Int, _ random: inout SplitMix64) -> Value {
    [
      "id": .integer(id), "k": .integer(random.below(3)), "v": .integer(random.below(5)),
      "n": .string(random.one(of: ["ant", "bee", "Éclair", "7up"])),
    ]
  }

  private var objects: [[Value]] {
    get async throws { [try await owners[0].allObjects(), try await owners[1].allObjects()] }
  }

  // MARK: Steps

  mutating func step() async throws {
    let before = try await objects
    switch random.below(10) {
    case 0: try await revert("undo", \.last, to: { $0.before }) { try await $0.undoEdit() }
    case 1: try await revert("redo", \.next, to: { $0.after }) { try await $0.redoEdit() }
    case 2:
      last = "fetch"
      try await random.one(of: wrappers).source.fetchData()
      #expect(try await objects == before)
    case 3, 4: try await transaction(before)
    default:
      let (source, edit) = try await edit()
      last = "\(edit) of \(type(of: source).kind)"
      do {
        try await record(try await source.edit(edit), from: before)
      } catch {
        #expect(try await objects == before, "\(last): \(error)")
      }
    }
  }

  private mutating func record(_ group: EditGroup, from before: [[Value]]) async throws {
    states[ObjectIdentifier(group)] = (group, before, try await objects)
    made += 1
  }

  private mutating func transaction(_ before: [[Value]]) async throws {
    let root = wrappers[0].source
    let transaction = EditTransaction(below: root)
    var steps: [String] = []
    for _ in 0..<1 + random.below(4) {
      let (source, edit) = try await edit(in: transaction)
      steps.append("\(edit) of \(type(of: source).kind)")
      // A step that fails changes nothing.
      try? await transaction.apply(edit, to: source)
    }
    last = "transaction: " + steps.joined(separator: "; ")
    guard random.below(3) > 0 else {
      transaction.rollback()
      last += "; rollback"
      #expect(try await objects == before, "\(last)")
      return
    }
    try await record(try await transaction.commit(), from: before)
  }

  /// Checks the objects of the sources that an edit changed, after it was undone or redone.
  private mutating func revert(
    _ verb: String, _ group: (EditHistory) -> EditGroup?,
    to side: ((group: EditGroup, before: [[Value]], after: [[Value]])) -> [[Value]],
    _ body: (any DataSource) async throws -> EditGroup
  ) async throws {
    last = verb
    do {
      let found = try await body(wrappers[0].source)
      let state = try #require(states[ObjectIdentifier(found)])
      for (index, owner) in owners.enumerated()
      where found.sources.contains(where: { $0 === owner }) {
        #expect(try await objects[index] == side(state)[index], "\(verb)")
      }
    } catch {
      #expect(owners.allSatisfy { group($0.history) == nil }, "\(verb): \(error)")
    }
  }

  /// A random edit, mostly one that can be made.
  private mutating func edit(
    in transaction: EditTransaction? = nil
  ) async throws -> (any DataSource, Edit) {
    let sources = owners as [any DataSource] + wrappers.map(\.source)
    let source = random.one(of: sources)
    try await transaction?.refresh(source)
    nextID += 1
    let object = Self.object(nextID, &random)
    guard let path = randomPath(in: source) else { return (source, .insert(object)) }
    switch random.below(5) {
    case 0: return (source, .insert(object))
    case 1: return (source, .insert(objects: [object], at: .path(path)))
    case 2: return (source, .remove(paths: [path]))
    case 3:
      let value = Value.integer(random.below(5))
      return (source, .update(path, Record([(random.one(of: ["k", "v"]), value)])))
    default: return (source, .move(path, to: randomPath(in: source) ?? path))
    }
  }

  private mutating func randomPath(in source: any DataSource) -> IndexPath? {
    guard source.numberOfSections > 0 else { return nil }
    let section = random.below(source.numberOfSections)
    guard let count = try? source.numberOfObjects(inSection: section), count > 0 else { return nil }
    return IndexPath(section: section, row: random.below(count))
  }

  // MARK: Checks

  /// The invariants of all sources, and the difference of a wrapper from a new one.
  func broken() async throws -> [String] {
    var broken: [String] = []
    for owner in owners { broken += try await owner.brokenInvariants() }
    for wrapper in wrappers {
      broken += try await wrapper.source.brokenInvariants()
      let new = try wrapper.make()
      try await new.fetchData()
      let shown = try await wrapper.source.contents
      if try await shown != new.contents {
        broken.append("\(wrapper.source.summary) shows \(shown)")
      }
    }
    return broken
  }
}

extension DataSource {
  /// The titles and the objects of all sections.
  fileprivate var contents: [Value] {
    get async throws {
      let titles = try await sectionTitles()
      var contents: [Value] = []
      for section in 0..<numberOfSections {
        contents += [titles[section], .array(try await content.objects(in: section))]
      }
      return contents
    }
  }
}
