import Synchronization

/// A table with inserted, removed and replaced rows. Rows that were not edited remain in the base
/// table.
///
/// The rows are pieces of another table and of an array of objects: the cost of an edit depends on
/// the number of earlier edits, not on the number of rows.
///
/// The keys of the base and of all edits remain known, even if the last object with a key is
/// removed: a sort or sections by that key continue with nulls, whereas a table of the remaining
/// rows would reject the key.
public final class EditedTable: Table {
  /// The table that was edited; never an edited table itself.
  public let base: any Table
  /// The objects that edits added, including those that are no longer rows. Their source rows
  /// follow those of the base.
  let added: [Value]
  private let pieces: [Piece]
  /// The first row of each piece, then the number of rows.
  private let starts: [Int]
  public let keys: [String]
  private let columns = Mutex<[ObjectKeyPath: KeyColumn]>([:])

  /// Adjacent source rows.
  private struct Piece {
    var start: Int
    var count: Int
  }

  private init(base: any Table, added: [Value], pieces: [Piece]) {
    self.base = base
    self.added = added
    self.pieces = pieces
    starts = pieces.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    let known = Set(base.keys)
    keys = base.keys + ValueTable(added).keys.filter { !known.contains($0) }
  }

  /// `table` with `objects` in place of its rows in `range`.
  /// - Precondition: `range` is in `0...table.count`.
  public static func replacing(
    _ range: Range<Int>, of table: any Table, with objects: [Value]
  ) -> EditedTable {
    let edited = table as? EditedTable
    let base = edited?.base ?? table
    let added = edited?.added ?? []
    let pieces = edited?.pieces ?? [Piece(start: 0, count: base.count)]
    var result: [Piece] = []
    var row = 0
    for piece in pieces {
      let before = min(piece.count, max(0, range.lowerBound - row))
      if before > 0 { result.append(Piece(start: piece.start, count: before)) }
      row += piece.count
    }
    result.append(Piece(start: base.count + added.count, count: objects.count))
    row = 0
    for piece in pieces {
      let skipped = min(piece.count, max(0, range.upperBound - row))
      if skipped < piece.count {
        result.append(Piece(start: piece.start + skipped, count: piece.count - skipped))
      }
      row += piece.count
    }
    return EditedTable(
      base: base, added: added + objects, pieces: result.filter { $0.count > 0 })
  }

  /// A table of all rows of the common base and all added objects of `old` and `new`. Both are
  /// edits of the base, or the base itself. nil if the bases differ, or if neither list of added
  /// objects starts with the other.
  static func pool(of old: any Table, _ new: any Table) -> EditedTable? {
    let tables = [old as? EditedTable, new as? EditedTable]
    guard (tables[0]?.base ?? old) === (tables[1]?.base ?? new) else { return nil }
    let added = tables.map { $0?.added ?? [] }
    let shared = min(added[0].count, added[1].count)
    guard added[0].prefix(shared) == added[1].prefix(shared) else { return nil }
    let all = added[0].count > shared ? added[0] : added[1]
    let base = tables[0]?.base ?? old
    return EditedTable(
      base: base, added: all, pieces: [Piece(start: 0, count: base.count + all.count)])
  }

  public var count: Int { starts[starts.count - 1] }

  /// For every row, its index among the rows of the base followed by ``added``.
  var sourceRows: [Int] { pieces.flatMap { $0.start..<$0.start + $0.count } }

  private func sourceRow(of row: Int) -> Int {
    var low = 0
    var high = pieces.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= row { low = middle } else { high = middle }
    }
    return pieces[low].start + row - starts[low]
  }

  public func objects(at rows: [Int]) throws -> [Value] {
    let sources = rows.map(sourceRow)
    var inBase = try base.objects(at: sources.filter { $0 < base.count })[...]
    return sources.map { source in
      if source >= base.count { return added[source - base.count] }
      return inBase.popFirst() ?? .null
    }
  }

  public func object(at row: Int) throws -> Value {
    let source = sourceRow(of: row)
    return try source < base.count ? base.object(at: source) : added[source - base.count]
  }

  public func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    if let column = columns.withLock({ $0[path] }) { return column }
    let column = try EditedColumn(self, path).column(cancellation: cancellation)
    columns.withLock { $0[path] = column }
    return column
  }

  public func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    let known = base.keys
    try base.decode(
      paths.filter { path in
        guard case .key(let key)? = path.steps.first else { return false }
        return known.contains(key)
      }, cancellation: cancellation)
  }

  public func line(of row: Int) throws -> Int? {
    let source = sourceRow(of: row)
    return source < base.count ? try base.line(of: source) : nil
  }

  public var typeChanges: [TypeChange] { base.typeChanges }

  public var hasOtherRows: Bool {
    // As long as any row of the base remains, the removed rows of the base count too, because only
    // a read could check the remaining rows.
    pieces.contains { piece in
      if piece.start < base.count { return base.hasOtherRows }
      let first = piece.start - base.count
      return ValueTable(Array(added[first..<first + piece.count])).hasOtherRows
    }
  }

  public var hasUniformRows: Bool {
    base.hasUniformRows && (added.isEmpty || ValueTable(added).hasUniformRows)
      && (added.isEmpty || Set(ValueTable(added).keys) == Set(base.keys))
  }
}
