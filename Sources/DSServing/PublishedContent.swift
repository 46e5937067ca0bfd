import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Synchronization

/// One content of a served source. It is read outside of the isolation of the sources.
struct PublishedContent: Sendable {
  /// Counted from 1 for each source.
  let number: Int
  let snapshot: Snapshot
  let layout: ContentLayout
  /// Identifies the objects in changes.
  let id: ObjectKeyPath?
  /// The objects that the edit before this content requested to show again.
  let refreshes: [Change]

  /// The number of items in a page.
  static let pageLength = 100
  /// The most columns of the table view; ``object(at:)`` has the other keys.
  static let mostColumns = 30
  private static let mostCharacters = 200
  private static let mostFields = 500
  private static let mostCharactersOfField = 2_000
  private static let mostIndexTitles = 200
  /// More changes are not animated.
  private static let mostChanges = 1_000
  private static let mostChangeLines = 100

  init(_ number: Int, _ snapshot: Snapshot, id: ObjectKeyPath?, refreshes: [Change]) {
    self.number = number
    self.snapshot = snapshot
    layout = ContentLayout(snapshot.store)
    self.id = id
    self.refreshes = refreshes
  }

  /// The counts and columns.
  var facts: [(String, Value)] {
    let columns = ObjectColumns(snapshot.store).names
    return [
      ("content", .integer(number)), ("sections", .integer(snapshot.numberOfSections)),
      ("objects", .integer(snapshot.numberOfObjects)), ("items", .integer(layout.numberOfItems)),
      ("hasHeaders", .bool(layout.hasHeaders)),
      ("columns", .array(columns.prefix(Self.mostColumns).map(Self.text))),
      ("hiddenColumns", .integer(max(0, columns.count - Self.mostColumns))),
    ]
  }

  private static func text(_ name: String) -> Value {
    .string(ShownValue(.string(name), limit: mostCharacters).text)
  }

  /// The items from a position on, at most ``pageLength``.
  func page(from start: Int) async throws -> Value {
    let start = min(max(0, start), layout.numberOfItems)
    let positions = start..<min(start + Self.pageLength, layout.numberOfItems)
    guard !positions.isEmpty else { return ["start": .integer(start), "items": .array([])] }
    let objects = try await snapshot.store.objects(in: layout.rows(at: positions))
    let sections =
      layout.section(ofItem: positions.lowerBound)..<layout.section(
        ofItem: positions.upperBound - 1) + 1
    let titles = layout.hasHeaders ? try await snapshot.store.titles(of: sections) : []
    let columns = ObjectColumns(snapshot.store)
    var next = 0
    let items: [Value] = positions.map { position in
      switch layout.item(at: position) {
      case .header(let section): return header(section, titles[section - sections.lowerBound])
      case .object(let path):
        let object = next < objects.count ? objects[next] : .null
        next += 1
        let cells = columns.values(of: object).prefix(Self.mostColumns).map {
          ShownValue($0, limit: Self.mostCharacters).json
        }
        return [
          "s": .integer(path.section), "r": .integer(path.row), "c": .array(Array(cells)),
        ]
      }
    }
    var page: [(String, Value)] = [("start", .integer(start)), ("items", .array(items))]
    if layout.hasHeaders {
      // The header that stays at the top while its section is scrolled.
      page.append(("headers", .array(zip(sections, titles).map(header))))
    }
    return .record(Record(page))
  }

  private func header(_ section: Int, _ title: Value) -> Value {
    [
      "s": .integer(section), "start": .integer(layout.start(of: section)),
      "n": .integer(snapshot.store.numberOfObjects(in: section)),
      "t": ShownValue(title, limit: Self.mostCharacters).json,
    ]
  }

  /// The titles of the section index with the positions that they lead to. Equal titles in a row are
  /// one; of very many, some are left out.
  func index() async throws -> Value {
    let index = try await snapshot.sectionIndex()
    var entries: [(title: String, section: Int)] = []
    for (title, section) in zip(index.titles, index.sections)
    where title != entries.last?.title && !title.isEmpty {
      entries.append((title, section))
    }
    let step = max(1, (entries.count + Self.mostIndexTitles - 1) / Self.mostIndexTitles)
    let shown = stride(from: 0, to: entries.count, by: step).map { entries[$0] }
    return .array(
      shown.filter { $0.section < layout.numberOfSections }.map {
        .array([
          .string(ShownValue(.string($0.title), limit: 12).text),
          .integer(layout.start(of: $0.section)),
        ])
      })
  }

  /// All keys of an object with their values.
  func object(at path: IndexPath) async throws -> Value {
    let object = try await snapshot.object(at: path)
    let fields: [(String, Value)] =
      if case .record(let record) = object { Array(zip(record.keys, record.values)) } else {
        [(ObjectColumns(snapshot.store).names.last ?? "", object)]
      }
    return [
      "fields": .array(
        fields.prefix(Self.mostFields).map { key, value in
          .array([Self.text(key), ShownValue(value, limit: Self.mostCharactersOfField).json])
        }),
      "hiddenFields": .integer(max(0, fields.count - Self.mostFields)),
    ]
  }

  /// The whole value of a key, by its position among those of the object; nil without it.
  func text(ofField field: Int, at path: IndexPath) async throws -> String? {
    let object = try await snapshot.object(at: path)
    let values: [Value] = if case .record(let record) = object { record.values } else { [object] }
    guard values.indices.contains(field) else { return nil }
    if case .string(let text) = values[field] { return text }
    return values[field].json
  }

  /// The changes that lead from an earlier content to this one, for the items of a range of positions
  /// in the earlier one.
  func changes(
    from old: PublishedContent, shown: Range<Int>, cancellation: Cancellation
  ) async throws -> Value {
    let context = RequestContext(cancellation: cancellation, copyLimit: 100_000)
    var changes: [Change]
    do {
      changes = try await old.snapshot.changes(to: snapshot, id: id, context)
    } catch SourceError.data(.unknownKey) {
      changes = try await old.snapshot.changes(to: snapshot, context)
    }
    if number == old.number + 1 { changes += refreshes }
    let lines = changes.prefix(Self.mostChangeLines).map { Value.string($0.text) }
    var answer: [(String, Value)] = [
      ("count", .integer(changes.count)), ("lines", .array(Array(lines))),
      ("batches", .integer(changes.count > Self.mostChanges ? 0 : changes.batches().count)),
    ]
    guard changes.count <= Self.mostChanges else { return .record(Record(answer)) }
    let items = ItemChanges(changes, from: old.layout, to: layout)
    func positions(_ paths: [IndexPath]) -> Value {
      .array(paths.compactMap { items.position(ofNew: $0).map { .integer($0) } })
    }
    answer += [
      ("positions", .array(shown.map { .integer(items.position(ofOld: $0) ?? -1) })),
      ("inserted", positions(items.inserted)), ("updated", positions(items.updated)),
    ]
    return .record(Record(answer))
  }
}
