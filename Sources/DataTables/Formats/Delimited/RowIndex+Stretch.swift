internal import CScan

extension RowIndex.Stretch {
  mutating func addAnchors(
    _ batch: UnsafeBufferPointer<ds_row>, of scanner: RowScanner
  ) {
    var next = -count & (RowIndex.spacing - 1)
    while next < batch.count {
      anchors.append(UInt32(scanner.storeOffset(batch[next].start) - range.lowerBound))
      next += RowIndex.spacing
    }
  }

  /// - Parameter bytes: about as many as the stretch has.
  mutating func addLengths(_ batch: UnsafeBufferPointer<ds_row>, ofBytes bytes: Int) {
    if let last = batch.last, count == 0 {
      // About what all rows take, as memory that grows leaves pieces behind.
      let length = max(1, Int(last.end - batch[0].start) / batch.count)
      lengths.reserveCapacity(min(bytes / length * 9 / 8, 1 << 22))
    }
    // Copied from there, as an array that grows by one element after another takes several times as
    // long.
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: batch.count) { found in
      for index in batch.indices {
        found[index] = UInt16(truncatingIfNeeded: batch[index].end &- batch[index].start)
      }
      lengths.append(contentsOf: found)
    }
  }

  func group(of row: Int) -> (range: Range<Int>, rows: Range<Int>) {
    let anchor = (row - firstRow) / RowIndex.spacing
    let start = range.lowerBound + Int(anchors[anchor])
    let end =
      anchor + 1 < anchors.count ? range.lowerBound + Int(anchors[anchor + 1]) : range.upperBound
    let first = firstRow + anchor * RowIndex.spacing
    return (start..<end, first..<min(first + RowIndex.spacing, firstRow + count))
  }
}
