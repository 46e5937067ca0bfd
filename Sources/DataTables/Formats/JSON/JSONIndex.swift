/// The positions of the rows of a JSON text: the offset of every 16th row.
struct JSONIndex: Sendable {
  static let spacing = 16

  struct Chunk {
    var firstRow: Int
    var count: Int
    var anchors: [Int]
    var end: Int
  }
  let chunks: [Chunk]
  let count: Int

  /// Adjacent rows that are read together.
  struct Group {
    /// Their bytes in the text.
    var range: Range<Int>
    var rows: Range<Int>
  }

  init(_ chunks: [JSONChunk]) {
    var count = 0
    self.chunks = chunks.filter { $0.count > 0 }.map { chunk in
      defer { count += chunk.count }
      return Chunk(
        firstRow: count, count: chunk.count, anchors: chunk.anchors, end: chunk.end)
    }
    self.count = count
  }

  /// - Parameter chunks: with at least one row each, in order.
  init(joining chunks: [Chunk]) {
    self.chunks = chunks
    count = chunks.last.map { $0.firstRow + $0.count } ?? 0
  }

  /// The group of a row. `row` must be in `0..<count`.
  func group(of row: Int) -> Group {
    var low = 0
    var high = chunks.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if chunks[middle].firstRow <= row { low = middle } else { high = middle - 1 }
    }
    let anchor = (row - chunks[low].firstRow) / Self.spacing
    return group(in: chunks[low], anchors: anchor..<anchor + 1)
  }

  /// All rows in about `target` groups.
  func groups(_ target: Int) -> [Group] {
    chunks.flatMap { chunk in
      let size = max(1, (count / max(1, target) + Self.spacing) / Self.spacing)
      return stride(from: 0, to: chunk.anchors.count, by: size).map { first in
        group(in: chunk, anchors: first..<min(first + size, chunk.anchors.count))
      }
    }
  }

  private func group(in chunk: Chunk, anchors: Range<Int>) -> Group {
    let isLast = anchors.upperBound == chunk.anchors.count
    let end = isLast ? chunk.end : chunk.anchors[anchors.upperBound]
    let lastRow = isLast ? chunk.count : anchors.upperBound * Self.spacing
    return Group(
      range: chunk.anchors[anchors.lowerBound]..<end,
      rows: chunk.firstRow + anchors.lowerBound * Self.spacing..<chunk.firstRow + lastRow)
  }
}
