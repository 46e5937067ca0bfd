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
    /// Objects that were read and not returned yet; those of several small sections are read
    /// together.
    var waiting: ArraySlice<Value> = []

    /// - Throws: ``SourceError``.
    public mutating func next() async throws -> ObjectBatch? {
      while section < end {
        let count = snapshot.store.numberOfObjects(in: section)
        guard row < count else {
          section += 1
          row = 0
          continue
        }
        if waiting.isEmpty { try await read() }
        let start = IndexPath(section: section, row: row)
        let objects = waiting.prefix(count - row)
        // A store that returns too few objects must not lead to an endless loop.
        guard !objects.isEmpty else { return nil }
        waiting = waiting.dropFirst(objects.count)
        row += objects.count
        return ObjectBatch(start: start, objects: Array(objects))
      }
      return nil
    }

    private mutating func read() async throws {
      var ranges: [SectionRows] = []
      var (section, row, left) = (section, row, size)
      while section < end, left > 0 {
        let count = Swift.min(snapshot.store.numberOfObjects(in: section) - row, left)
        if count > 0 { ranges.append(SectionRows(section: section, rows: row..<row + count)) }
        left -= Swift.max(0, count)
        section += 1
        row = 0
      }
      do {
        waiting = try await snapshot.store.objects(in: ranges)[...]
      } catch {
        throw SourceError(error)
      }
    }
  }
}

/// A range of the rows of a section.
public struct SectionRows: Hashable, Sendable {
  public let section: Int
  public let rows: Range<Int>

  public init(section: Int, rows: Range<Int>) {
    self.section = section
    self.rows = rows
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
