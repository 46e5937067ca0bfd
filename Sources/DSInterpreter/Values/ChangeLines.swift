import DataSources
import DataTables

/// Changes as text: `insert [5, 1]  Peach`.
struct ChangeLines {
  /// For each change, its text and its object for people, then its name and its two positions for
  /// programs.
  private(set) var rows: [[Value]] = []

  init(_ changes: [Change], from old: Snapshot, to new: Snapshot) async throws {
    rows.reserveCapacity(changes.count)
    for change in changes {
      var object = ""
      if let path = change.newPath {
        object = try await Self.label(at: path, of: new)
      } else if let path = change.oldPath {
        object = try await Self.label(at: path, of: old)
      }
      rows.append([.string(change.text), .string(object)] + change.facts)
    }
  }

  /// The label of an object; its key if the object can no longer be read.
  private static func label(at path: IndexPath, of content: Snapshot) async throws -> String {
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
        if case .string(let text) = value, !text.isEmpty { text } else { nil }
      }.joined(separator: "  ")
    }
  }

  /// The first value of a record, which usually names it.
  private static func label(of object: Value) -> String {
    switch object {
    case .record(let record): record.values.first.map { label(of: $0) } ?? "{}"
    case .string(let text): text
    default: object.excerpt
    }
  }
}

extension Change {
  /// `move [0, 2] to [0, 0]`, `delete section [1]`.
  fileprivate var text: String {
    switch self {
    case .deleteSection(let section): "delete section [\(section)]"
    case .insertSection(let section): "insert section [\(section)]"
    case .delete(let path): "delete \(path)"
    case .insert(let path): "insert \(path)"
    case .move(let from, let to): "move \(from) to \(to)"
    case .update(let from, let to) where from == to: "update \(from)"
    case .update(let from, let to): "update \(from), now \(to)"
    }
  }

  fileprivate var newPath: IndexPath? {
    switch self {
    case .insert(let path), .move(_, let path), .update(_, let path): path
    case .deleteSection, .insertSection, .delete: nil
    }
  }

  fileprivate var oldPath: IndexPath? { if case .delete(let path) = self { path } else { nil } }

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
}
