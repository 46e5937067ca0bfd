public import DataTables

/// A manual change of the objects of a source.
public enum Edit: Sendable {
  /// Adds objects next to each other.
  case insert(objects: [Value], at: Place)
  /// Removes the objects at some index paths.
  case remove(paths: [IndexPath])
  /// Changes values of some objects. Several updates of one object apply in order. Only records can
  /// be updated.
  case update([ObjectUpdate])
  /// Moves an object to a place, which counts with the object still at its old index path, and
  /// changes values of it.
  case move(from: IndexPath, to: Place, setting: [KeyValue])

  /// Where an object is inserted.
  public enum Place: Hashable, Sendable {
    /// After the last object of the source that owns the objects.
    case end
    /// Before this row of the source that owns the objects, whatever source is edited.
    case row(Int)
    /// Before the object at this index path of the edited source; the row after the last one of a
    /// section is its end.
    case path(IndexPath)
  }

  /// - Parameter row: nil inserts at the end.
  public static func insert(_ object: Value, at row: Int? = nil) -> Edit {
    .insert(objects: [object], at: row.map { .row($0) } ?? .end)
  }

  public static func remove(_ path: IndexPath) -> Edit { .remove(paths: [path]) }

  /// New values for some keys of the object; keys that the object lacks are added.
  public static func update(_ path: IndexPath, _ values: Record) -> Edit {
    .update([ObjectUpdate(path, zip(values.keys, values.values).map { KeyValue(key: $0, $1) })])
  }

  /// The index paths of the edited objects, in the order of the edit; empty for new objects.
  public var paths: [IndexPath] {
    switch self {
    case .insert: []
    case .remove(let paths): paths
    case .update(let updates): updates.map(\.path)
    case .move(let path, _, _): [path]
    }
  }
}

/// New values of an object.
public struct ObjectUpdate: Sendable {
  public var path: IndexPath
  public var values: [KeyValue]

  public init(_ path: IndexPath, _ values: [KeyValue]) {
    self.path = path
    self.values = values
  }
}

/// A value for a key path of keys of records: `address.city`. Records that an object lacks are made.
public struct KeyValue: Hashable, Sendable {
  public let path: ObjectKeyPath
  public let value: Value

  public init(_ path: ObjectKeyPath, _ value: Value) {
    self.path = path
    self.value = value
  }

  public init(key: String, _ value: Value) { self.init(ObjectKeyPath(key: key), value) }
}

/// The number of objects that edits changed, and of children as sections.
public struct EditCounts: Hashable, Sendable {
  public var inserted = 0
  public var removed = 0
  public var updated = 0
  public var moved = 0
  public var insertedSections = 0
  public var removedSections = 0
  public var movedSections = 0

  public init(
    inserted: Int = 0, removed: Int = 0, updated: Int = 0, moved: Int = 0,
    insertedSections: Int = 0, removedSections: Int = 0, movedSections: Int = 0
  ) {
    self.inserted = inserted
    self.removed = removed
    self.updated = updated
    self.moved = moved
    self.insertedSections = insertedSections
    self.removedSections = removedSections
    self.movedSections = movedSections
  }

  public var total: Int { inserted + removed + updated + moved + sections }
  /// The number of children that were changed.
  public var sections: Int { insertedSections + removedSections + movedSections }

  static func += (counts: inout EditCounts, other: EditCounts) {
    counts.inserted += other.inserted
    counts.removed += other.removed
    counts.updated += other.updated
    counts.moved += other.moved
    counts.insertedSections += other.insertedSections
    counts.removedSections += other.removedSections
    counts.movedSections += other.movedSections
  }
}

extension DataSource {
  /// Edits the objects of this source, or of the sources below that own them.
  ///
  /// The edited sources show the edit immediately, as do all their wrappers that were fetched before
  /// and follow their children.
  /// - Parameters:
  ///   - edit: its index paths refer to this source.
  ///   - listener: receives every event of all sources that the edit reaches.
  /// - Returns: the edit, which can be undone.
  /// - Throws: ``SourceError``, after which nothing has changed: `outOfRange` when no object exists at
  ///   an index path; `badArgument` when the source that owns an object, or should receive it, is
  ///   unknown; `conflict` when this source, an owner or a source between them shows outdated or
  ///   earlier content or is being fetched.
  @discardableResult
  public func edit(
    _ edit: Edit, cancellation: Cancellation = Cancellation(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws(SourceError) -> EditGroup {
    try await EditTransaction.making(cancellation: cancellation, listener: listener) {
      try await $0.apply(edit, to: self, cancellation: cancellation)
    }
  }
}
