/// Row numbers in some order, in which a range can be replaced quickly.
///
/// Adjacent rows with ascending numbers are one piece, and pieces are kept in chunks: a replacement
/// takes time for one chunk and for the number of chunks, not for the number of rows.
package struct RowList: Sendable, Equatable {
  private struct Chunk: Sendable, Equatable {
    private(set) var pieces: [Range<Int>]
    private(set) var count: Int

    init(_ pieces: [Range<Int>]) {
      self.pieces = pieces
      count = pieces.reduce(0) { $0 + $1.count }
    }

    /// Replaces the rows at a range of positions in the chunk, and returns them.
    mutating func replace(_ positions: Range<Int>, with rows: [Range<Int>]) -> [Range<Int>] {
      var index = 0
      var offset = positions.lowerBound
      while index < pieces.count, offset >= pieces[index].count {
        offset -= pieces[index].count
        index += 1
      }
      // The neighbors may continue the new pieces.
      let first = max(0, index - 1)
      var new: [Range<Int>] = []
      if index > 0 { new.append(pieces[first]) }
      if index < pieces.count { new.join(pieces[index].prefix(offset)) }
      for piece in rows { new.join(piece) }
      var removed: [Range<Int>] = []
      var left = positions.count
      repeat {
        guard index < pieces.count else { break }
        let rest = pieces[index].dropFirst(offset)
        if left > 0 { removed.append(rest.prefix(left)) }
        new.join(rest.dropFirst(left))
        left = max(0, left - rest.count)
        offset = 0
        index += 1
      } while left > 0
      if index < pieces.count {
        new.join(pieces[index])
        index += 1
      }
      pieces.replaceSubrange(first..<index, with: new)
      count += rows.reduce(0) { $0 + $1.count } - positions.count
      return removed
    }
  }
  private var chunks: [Chunk]
  package private(set) var count: Int

  private static let maxPieces = 512

  /// The rows from 0 up to `count`.
  package init(count: Int) {
    chunks = count > 0 ? [Chunk([0..<count])] : []
    self.count = count
  }

  /// Whether the rows are those from 0 up to `count`, in this order.
  package func isNatural(_ count: Int) -> Bool {
    guard self.count == count else { return false }
    var next = 0
    for chunk in chunks {
      for piece in chunk.pieces {
        guard piece.lowerBound == next else { return false }
        next = piece.upperBound
      }
    }
    return true
  }

  /// Whether both lists have the same rows, however these are divided into pieces.
  /// - Complexity: O(pieces).
  package func hasSameRows(as other: RowList) -> Bool {
    count == other.count && (self == other || joinedPieces == other.joinedPieces)
  }

  private var joinedPieces: [Range<Int>] {
    pieces.reduce(into: []) { $0.join($1) }
  }

  /// The ranges of ascending rows, in order; neighbors may continue each other.
  package var pieces: [Range<Int>] { chunks.flatMap(\.pieces) }

  /// - Precondition: `position` is in `0..<count`.
  package subscript(position: Int) -> Int {
    let (chunk, start) = chunk(of: position)
    var rest = position - start
    for piece in chunks[chunk].pieces {
      if rest < piece.count { return piece.lowerBound + rest }
      rest -= piece.count
    }
    preconditionFailure("position out of range")
  }

  /// All rows, in order.
  package var rows: [UInt32] {
    [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      LargePages.advise(buffer)
      for chunk in chunks {
        for piece in chunk.pieces {
          let start = initialized
          for index in 0..<piece.count {
            buffer.initializeElement(
              at: start + index, to: UInt32(truncatingIfNeeded: piece.lowerBound + index))
          }
          initialized += piece.count
        }
      }
    }
  }

  /// A change of the rows: those at some positions were replaced.
  package struct Replacement: Sendable {
    /// The first position.
    package let position: Int
    package let removed: [Range<Int>]
    package let inserted: [Range<Int>]

    /// The change that reverts this one.
    package var inverse: Replacement {
      Replacement(position: position, removed: inserted, inserted: removed)
    }
  }

  /// Repeats a change of equal rows.
  package mutating func apply(_ change: Replacement) {
    let count = change.removed.reduce(0) { $0 + $1.count }
    _ = replace(change.position..<change.position + count, with: change.inserted)
  }

  /// Replaces the rows at a range of positions.
  ///
  /// - Precondition: `positions` is in `0...count`.
  package mutating func replace(_ positions: Range<Int>, with rows: [Range<Int>]) -> Replacement {
    let added = rows.filter { !$0.isEmpty }
    if chunks.isEmpty { chunks.append(Chunk([])) }
    let (index, start) = chunk(of: positions.lowerBound)
    var end = index + 1
    var reached = start + chunks[index].count
    while reached < positions.upperBound, end < chunks.count {
      reached += chunks[end].count
      end += 1
    }
    if end > index + 1 {
      chunks.replaceSubrange(index..<end, with: [Chunk(chunks[index..<end].flatMap(\.pieces))])
    }
    let removed = chunks[index].replace(
      positions.lowerBound - start..<positions.upperBound - start, with: added)
    let pieces = chunks[index].pieces
    if pieces.isEmpty || pieces.count > Self.maxPieces {
      chunks.replaceSubrange(index...index, with: Self.chunks(of: pieces))
    }
    count += added.reduce(0) { $0 + $1.count } - positions.count
    return Replacement(position: positions.lowerBound, removed: removed, inserted: added)
  }

  /// Replaces single rows at several positions, each with some rows, as one change.
  ///
  /// - Parameters:
  ///   - positions: in `0..<count`, ascending, all different.
  ///   - rows: the new rows for each of them.
  /// - Complexity: O(pieces between the first and the last position + positions).
  package mutating func replace(_ positions: [Int], with rows: [Range<Int>]) -> Replacement {
    guard let first = positions.first, let last = positions.last else {
      return Replacement(position: 0, removed: [], inserted: [])
    }
    // Most edits replace one row, in time for one chunk.
    if positions.count == 1 { return replace(first..<first + 1, with: [rows[0]]) }
    var pieces: [Range<Int>] = []
    var next = 0
    var start = first
    forEachPiece(in: first..<last + 1) { piece in
      var rest = piece
      while next < positions.count, positions[next] < start + rest.count {
        let kept = rest.prefix(positions[next] - start)
        if !kept.isEmpty { pieces.append(kept) }
        if !rows[next].isEmpty { pieces.append(rows[next]) }
        rest = rest.dropFirst(kept.count + 1)
        start = positions[next] + 1
        next += 1
      }
      if !rest.isEmpty { pieces.append(rest) }
      start += rest.count
    }
    return replace(first..<last + 1, with: pieces)
  }

  private func forEachPiece(in positions: Range<Int>, _ body: (Range<Int>) -> Void) {
    var start = 0
    for chunk in chunks {
      let end = start + chunk.count
      if end > positions.lowerBound, start < positions.upperBound {
        var offset = start
        for piece in chunk.pieces {
          let range = (offset..<offset + piece.count).clamped(to: positions)
          offset += piece.count
          if range.isEmpty { continue }
          let skipped = range.lowerBound - (offset - piece.count)
          body(piece.dropFirst(skipped).prefix(range.count))
        }
      }
      start = end
    }
  }

  /// The chunk of a position and the position of its first row; the last chunk for the end.
  private func chunk(of position: Int) -> (index: Int, start: Int) {
    var start = 0
    for index in chunks.indices.dropLast() {
      let end = start + chunks[index].count
      if position < end { return (index, start) }
      start = end
    }
    return (max(0, chunks.count - 1), start)
  }

  /// The positions of some row numbers, in their order; nil for those that are not in the list.
  ///
  /// - Complexity: O(rows + pieces).
  package func positions(of rows: [Int]) -> [Int?] {
    var positions: [Int: Int] = [:]
    let wanted = rows.sorted()
    var start = 0
    for chunk in chunks {
      for piece in chunk.pieces {
        var index = wanted.partitionPoint { $0 >= piece.lowerBound }
        while index < wanted.count, wanted[index] < piece.upperBound {
          positions[wanted[index]] = start + wanted[index] - piece.lowerBound
          index += 1
        }
        start += piece.count
      }
    }
    return rows.map { positions[$0] }
  }

  private static func chunks(of pieces: [Range<Int>]) -> [Chunk] {
    guard pieces.count > maxPieces else {
      return pieces.isEmpty ? [] : [Chunk(pieces)]
    }
    // Half-full chunks, so that the next replacements do not divide them again.
    return stride(from: 0, to: pieces.count, by: maxPieces / 2).map { start in
      Chunk(Array(pieces[start..<min(pieces.count, start + maxPieces / 2)]))
    }
  }
}

extension [Range<Int>] {
  /// Appends a piece, or extends the last one.
  fileprivate mutating func join(_ piece: Range<Int>) {
    if let last, last.upperBound == piece.lowerBound {
      self[count - 1] = last.lowerBound..<piece.upperBound
    } else if !piece.isEmpty {
      append(piece)
    }
  }
}
