import DataSources
import DataTables

/// Changes as text: `insert [5, 1]  Peach`.
struct ChangeLines {
  /// For each change, its text and its object for people, then its name and its two positions for
  /// programs.
  private(set) var rows: [[Value]] = []

  init(_ changes: some Collection<Change>, from old: Snapshot, to new: Snapshot) async throws {
    rows.reserveCapacity(changes.count)
    for change in changes {
      let object = try await Self.label(of: change, from: old, to: new)
      rows.append([.string(change.text), object] + change.facts)
    }
  }

  /// - Parameters:
  ///   - old: the content before the first batch.
  ///   - new: the content after the last one.
  init(_ batch: some Collection<StagedChange>, from old: Snapshot, to new: Snapshot) async throws {
    rows.reserveCapacity(batch.count)
    for staged in batch {
      let object = try await Self.label(of: staged.whole, from: old, to: new)
      rows.append([.string(staged.change.text), object] + staged.change.facts)
    }
  }

  /// The label of the object that a change concerns; "" for a section.
  private static func label(
    of change: Change, from old: Snapshot, to new: Snapshot
  ) async throws -> Value {
    if let path = change.newPath { return try await label(at: path, of: new) }
    if let path = change.oldPath { return try await label(at: path, of: old) }
    return ""
  }

  /// The label of an object; its key if the object can no longer be read.
  private static func label(at path: IndexPath, of content: Snapshot) async throws -> Value {
    let key = content.store.trackedKey(at: path)
    // The label of most tables is the key, which costs no statement.
    if let key, key.keys.first == content.keys.first { return label(of: .record(key)) }
    do {
      return label(of: try await content.object(at: path))
    } catch let error as SourceError where error.kind == .changed {
      guard let key else { throw error }
      return label(of: .record(key))
    }
  }

  var lines: [String] {
    rows.map { row in
      row.prefix(2).compactMap { value in
        switch value {
        case .string(""): nil
        case .string("null"): "\"null\""
        case .string(let text): text
        default: value.excerpt
        }
      }.joined(separator: "  ")
    }
  }

  /// The first value of a record, which usually names it.
  private static func label(of object: Value) -> Value {
    switch object {
    case .record(let record): record.values.first.map { label(of: $0) } ?? "{}"
    case .string, .null: object
    default: .string(object.excerpt)
    }
  }
}

extension Change {
  /// `move [0, 2] to [0, 0]`, `delete section [1]`.
  package var text: String {
    switch self {
    case .deleteSection(let section): "delete section [\(section)]"
    case .insertSection(let section): "insert section [\(section)]"
    case .delete(let path): "delete \(path)"
    case .insert(let path): "insert \(path)"
    case .moveSection(let from, let to): "move section [\(from)] to [\(to)]"
    case .move(let from, let to, _): "move \(from) to \(to)"
    case .update(let from, let to), .reload(let from, let to), .reconfigure(let from, let to):
      from == to ? "\(name) \(from)" : "\(name) \(from), now \(to)"
    }
  }

  /// The name and both positions; null for a position that the change lacks.
  fileprivate var facts: [Value] {
    [.string(name), Self.value(from), Self.value(to)]
  }

  private static func value(_ position: [Int]?) -> Value {
    position.map { .array($0.map(Value.integer)) } ?? .null
  }

  /// `{change, from, to}`.
  var record: Value { .record(Record(zip(["change", "from", "to"], facts))) }

  /// `{source, change, from, to}`.
  func record(of source: String) -> Value {
    .record(Record(zip(["source", "change", "from", "to"], [.string(source)] + facts)))
  }

  /// `{batch, change, from, to}`, or `{source, batch, change, from, to}`.
  /// - Parameter batch: counted from 1.
  func record(inBatch batch: Int, of source: String? = nil) -> Value {
    let keys = ["batch", "change", "from", "to"]
    let values = [.integer(batch)] + facts
    guard let source else { return .record(Record(zip(keys, values))) }
    return .record(Record(zip(["source"] + keys, [.string(source)] + values)))
  }
}
