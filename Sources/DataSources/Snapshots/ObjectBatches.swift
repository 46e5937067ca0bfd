public import DataTables

/// The objects of a snapshot in batches, in the order of sections and rows.
public struct ObjectBatches: AsyncSequence, Sendable {
  public typealias Element = ObjectBatch
  let snapshot: Snapshot
  let size: Int
  let sections: Range<Int>

  public func makeAsyncIterator() -> Iterator {
    Iterator(snapshot: snapshot, size: size, end: sections.upperBound, section: sections.lowerBound)
  }

  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let snapshot: Snapshot
    let size: Int
    let end: Int
    var section: Int
    var row = 0

    /// - Throws: ``SourceError``.
    public mutating func next() async throws -> ObjectBatch? {
      while section < end {
        let count = snapshot.store.numberOfObjects(in: section)
        if row < count {
          let rows = row..<Swift.min(count, row + size)
          let objects: [Value]
          do {
            objects = try await snapshot.store.objects(in: section, rows: rows)
          } catch {
            throw SourceError(error)
          }
          row = rows.upperBound
          return ObjectBatch(
            start: IndexPath(section: section, row: rows.lowerBound), objects: objects)
        }
        section += 1
        row = 0
      }
      return nil
    }
  }
}

/// Consecutive objects of one section.
public struct ObjectBatch: Sendable {
  /// The index path of the first object.
  public let start: IndexPath
  /// At least one object.
  public let objects: [Value]
}

extension Snapshot {
  /// All objects, or those of some sections, in batches of at most `size` to limit memory use.
  ///
  /// A batch never spans two sections. Sections out of range are skipped.
  public func batches(of size: Int = 1_024, in sections: Range<Int>? = nil) -> ObjectBatches {
    let all = 0..<numberOfSections
    return ObjectBatches(
      snapshot: self, size: Swift.max(1, size), sections: sections?.clamped(to: all) ?? all)
  }
}
