package import DataSources
import DataTables

/// Reads the content of a source in all ways that stores have, as text.
///
/// Two sources with equal content return equal texts, wherever their objects are.
package struct ContentReads {
  package private(set) var outcomes = Outcomes()
  private let source: any DataSource
  private let content: Snapshot
  private let extent: Extent

  /// The name of each read, with its outcome.
  package struct Outcomes: Sendable {
    package fileprivate(set) var texts: [(name: String, text: String)] = []

    /// The reads whose outcomes differ, at most three.
    package func differences(from expected: Outcomes) -> [String] {
      var found: [String] = []
      for (own, other) in zip(texts, expected.texts) where own != other {
        found.append("\(own.name): \(own.text)\n  expected: \(other.text)")
      }
      if texts.count != expected.texts.count { found.append("other reads") }
      return Array(found.prefix(3))
    }
  }

  /// How much is read.
  package enum Extent: Sendable {
    case all
    /// A selection for combinations of sources.
    case some
    /// Without keys that no object has: over no rows at all, only some stores know which keys exist.
    case withoutUnknownKeys
  }

  private static let keyPaths = [
    "id", "name", "city", "age", "price", "born", "active", "name.firstCharacter",
  ]

  package init(_ source: any DataSource, _ extent: Extent = .all) async throws {
    self.source = source
    self.extent = extent
    content = try source.content
    try await readSections()
    try await readObjects()
    try await locate()
    try await reduce()
    try await explain()
  }

  private mutating func add<Result>(
    _ name: String, _ read: (Snapshot) async throws -> Result
  ) async {
    do {
      outcomes.texts.append((name, "\(try await read(content))"))
    } catch {
      outcomes.texts.append((name, "error: \(SourceError(error).message)"))
    }
  }

  private mutating func readSections() async throws {
    await add("counts") { content in
      try (0..<content.numberOfSections).map { try content.numberOfObjects(in: $0) }
    }
    await add("number of objects") { $0.numberOfObjects }
    await add("keys") { $0.keys }
    await add("other objects") { $0.store.hasOtherObjects }
    await add("titles") { try await $0.titles().map(\.json) }
    await add("last title") { try await $0.title(of: $0.numberOfSections - 1).json }
    await add("listed titles") { content in
      content.store.listedTitles.map { $0.map { "\($0.title.json) \($0.section ?? -1)" } } ?? []
    }
    await add("section index") { content in
      let index = try await content.sectionIndex()
      return "\(index.titles) \(index.sections) \(index.titlesOfSections)"
    }
    await add("repeated titles") { $0.repeatedTitles.map { "\($0.title.json) \($0.sections)" } }
    await add("findings") { $0.findings }
  }

  private mutating func readObjects() async throws {
    for size in [3, 1_000] {
      await add("objects in batches of \(size)") { content in
        var lines: [String] = []
        for try await batch in content.batches(of: size) {
          lines.append("\(batch.start)")
          lines += batch.objects.map(\.json)
        }
        return size == 3 ? lines.filter { $0.hasPrefix("{") } : lines
      }
    }
    await add("ranges") { content in
      let ranges = (0..<content.numberOfSections).map { section in
        let count = content.store.numberOfObjects(in: section)
        let low = section == 0 ? count / 2 : 0
        let high = section == content.numberOfSections - 1 ? (count + 1) / 2 : count
        return SectionRows(section: section, rows: low..<max(low, high))
      }
      return try await content.store.objects(in: ranges).map(\.json)
    }
    for path in [
      IndexPath(section: 0, row: -1), IndexPath(section: 0, row: .max),
      IndexPath(section: -1, row: 0), IndexPath(section: content.numberOfSections, row: 0),
    ] {
      await add("object at \(path)") { try await $0.object(at: path).json }
    }
  }

  /// Index paths of objects all over the content.
  private var paths: [IndexPath] {
    let count = content.numberOfObjects
    let located = if case .some = extent { 4 } else { 12 }
    return stride(from: 0, to: count, by: max(1, count / located))
      .compactMap { content.store.indexPath(ofPosition: $0) }
  }

  private mutating func locate() async throws {
    for path in paths {
      guard let object = try? await content.object(at: path) else { continue }
      await add("position of \(path)") { "\($0.store.position(of: path))" }
      await add("object at \(path)") { _ in object.json }
      await add("index path of \(object.json)") { try await $0.indexPath(of: object) ?? .none }
      for keys in [["city"], ["age", "active"], ["id"], ["town", "city"]] {
        let values = Record(
          keys.map { ($0, ObjectKeyPath(key: $0).evaluate(on: object)) })
        await add("index path matching \(keys) of \(path)") {
          try await $0.indexPath(matching: values) ?? .none
        }
      }
    }
    for object in [Value.null, "x", .record(Record([("id", 1)])), .record(Record([]))] {
      await add("index path of \(object.json)") { try await $0.indexPath(of: object) ?? .none }
    }
    for (key, kind, value) in [
      ("age", ComparisonOperator.Kind.greater, 55), ("name", .beginsWith, "z"),
      ("name", .matches, ".*i.*"), ("age", .greater, 900), ("town", .equal, "x"),
    ] as [(String, ComparisonOperator.Kind, Value)] where key != "town" || readsUnknownKeys {
      let predicate = Predicate.comparison(
        try Predicate.Comparison(
          .key(ObjectKeyPath(key: key)), ComparisonOperator(kind), .value(value)))
      await add("index path where \(predicate)") {
        try await $0.indexPath(where: predicate) ?? .none
      }
    }
  }

  private var readsUnknownKeys: Bool {
    if case .withoutUnknownKeys = extent { false } else { content.numberOfObjects > 0 }
  }

  private var keyPaths: [String] {
    let known = if case .some = extent { ["name", "price"] } else { Self.keyPaths }
    return known + (readsUnknownKeys ? ["town", "name.size"] : [])
  }

  private var operators: [CollectionOperator] {
    if case .some = extent { [.sum, .maximum, .last] } else { CollectionOperator.allCases }
  }

  private mutating func reduce() async throws {
    for text in keyPaths {
      let path = try ObjectKeyPath(parsing: text)
      await add("summary of \(text)") { content in
        let summary = try await content.summary(of: path)
        return "\(summary.nulls) \(summary.distinct) \(summary.least?.json ?? "-") "
          + (summary.greatest?.json ?? "-")
      }
      // Without objects, the types may be those of a column.
      if content.numberOfObjects > 0 {
        await add("types of \(text)") { try await $0.store.types(of: path, RequestContext()) }
      }
      for kind in operators {
        let operation = try ObjectKeyPath(parsing: "\(kind.rawValue).\(text)")
        for asOne in [false, true] {
          await add("\(operation), as one \(asOne)") {
            try await $0.aggregates(of: operation, asOne: asOne).values.map(\.json)
          }
        }
      }
    }
    for kind in operators {
      let operation = try ObjectKeyPath(parsing: kind.rawValue)
      await add("\(operation)") { try await $0.sectionValues(of: operation).map(\.json) }
    }
  }

  private mutating func explain() async throws {
    let source = source
    guard !source.children.isEmpty else { return }
    if let referencing = source as? any ReferencingSource {
      await add("references") { _ in
        try await referencing.references(cancellation: Cancellation()).map { $0.map(\.json) }
      }
    }
    for path in paths {
      await add("explanation of \(path)") { content in
        try await source.explanation(of: path, in: content).map { "\($0.subject): \($0.text)" }
      }
      await add("origin of \(path)") { content in
        let origin = try await source.origin(of: path, in: content)
        return origin.map { "\($0.child) \($0.path)" } ?? "unknown"
      }
    }
    for child in source.children.indices {
      guard let below = source.children[child].state.snapshot else { continue }
      for position in [0, below.numberOfObjects / 2, below.numberOfObjects - 1]
      where position >= 0 && position < below.numberOfObjects {
        guard let path = below.store.indexPath(ofPosition: position) else { continue }
        await add("absence of \(child) \(path)") { _ in
          let object = try await below.object(at: path)
          return try await source.absence(of: object, at: path, ofChild: child) ?? "unknown"
        }
      }
    }
  }
}

extension IndexPath? {
  fileprivate static var none: IndexPath { IndexPath(section: -1, row: -1) }
}
