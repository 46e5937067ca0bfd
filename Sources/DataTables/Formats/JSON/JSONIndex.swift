/// Where the rows of a JSON text are: the offset of every sixteenth one.
struct JSONIndex: Sendable {
  static let spacing = 16

  private struct Stretch {
    let firstRow: Int
    let count: Int
    let anchors: [Int]
    let end: Int
  }
  private let stretches: [Stretch]
  let count: Int

  /// Neighbours that are read together.
  struct Group {
    /// In the text, from the first row to behind the last.
    var range: Range<Int>
    var rows: Range<Int>
  }

  init(_ pieces: [JSONPiece]) {
    var count = 0
    stretches = pieces.filter { $0.count > 0 }.map { piece in
      defer { count += piece.count }
      return Stretch(
        firstRow: count, count: piece.count, anchors: piece.anchors, end: piece.end)
    }
    self.count = count
  }

  /// The group of a row, which is in `0..<count`.
  func group(of row: Int) -> Group {
    var low = 0
    var high = stretches.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if stretches[middle].firstRow <= row { low = middle } else { high = middle - 1 }
    }
    let anchor = (row - stretches[low].firstRow) / Self.spacing
    return group(in: stretches[low], anchors: anchor..<anchor + 1)
  }

  /// All rows in about `wanted` groups.
  func groups(_ wanted: Int) -> [Group] {
    stretches.flatMap { stretch in
      let size = max(1, (count / max(1, wanted) + Self.spacing) / Self.spacing)
      return stride(from: 0, to: stretch.anchors.count, by: size).map { first in
        group(in: stretch, anchors: first..<min(first + size, stretch.anchors.count))
      }
    }
  }

  private func group(in stretch: Stretch, anchors: Range<Int>) -> Group {
    let isLast = anchors.upperBound == stretch.anchors.count
    let end = isLast ? stretch.end : stretch.anchors[anchors.upperBound]
    let lastRow = isLast ? stretch.count : anchors.upperBound * Self.spacing
    return Group(
      range: stretch.anchors[anchors.lowerBound]..<end,
      rows: stretch.firstRow + anchors.lowerBound * Self.spacing..<stretch.firstRow + lastRow)
  }
}
