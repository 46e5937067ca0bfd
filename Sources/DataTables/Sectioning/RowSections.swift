/// The section of each row of a table.
///
/// With it, columns are reduced in the order of their rows, from the start of the memory to its end.
/// In the order of the sections, almost every row would be read from another place.
struct RowSections {
  /// By row; ``count`` for a row that is in no section.
  let numbers: [UInt16]
  /// The number of rows in each section.
  let sizes: [Int]
  /// Whether the rows of each section are known to be in the order of the table.
  let keepsTableOrder: Bool
  /// The number of sections.
  var count: Int { sizes.count }

  /// A section with fewer rows than this is reduced as quickly in its own order.
  private static let minRows = 16

  /// - Parameter rows: the number of rows of the table.
  /// - Returns: nil if this saves no time: for many sections, and for few of the rows.
  /// - Complexity: O(rows), on all processors.
  init?(_ sections: Sections, of order: RowOrder, rows: Int) {
    let count = sections.count
    guard count > 0, count < UInt16.max, count * Self.minRows <= order.count,
      order.count <= rows, rows / 4 <= order.count
    else { return nil }
    let none = UInt16(count)
    sizes = (0..<count).map { sections.positions(in: $0).count }
    let placement = order.placement
    let sectionOfBucket = placement?.sections(sizes)
    keepsTableOrder =
      order.ascendingBound != nil
      || sectionOfBucket != nil && placement?.keepsTableOrder == true
    let order = sectionOfBucket == nil ? order.computed : order
    numbers = [UInt16](unsafeUninitializedCapacity: rows) { buffer, initialized in
      nonisolated(unsafe) let numbers = buffer
      LargePages.advise(numbers)
      initialized = rows
      Parallel.forEachPart(of: rows) { _, part in numbers[part].initialize(repeating: none) }
      if let placement, let sectionOfBucket {
        let buckets = placement.buckets
        let sections = buckets.buckets.map {
          UInt16(truncatingIfNeeded: sectionOfBucket[Int($0)] ?? count)
        }
        return buckets.codes.numbering(
          sections,
          SectionWriting(
            order: placement.order.knownRows ?? placement.order, numbers: numbers))
      }
      Parallel.forEachPart(of: order.count) { _, positions in
        var start = positions.lowerBound
        while start < positions.upperBound {
          let section = sections.section(of: start)
          let end = min(positions.upperBound, sections.offsets[section + 1])
          order.forEachRow(at: start..<end) { _, row in
            numbers[Int(row)] = UInt16(truncatingIfNeeded: section)
          }
          start = end
        }
      }
    }
  }

  /// Writes the section of each row that is sorted into buckets.
  private struct SectionWriting: RowNumberingUse {
    let order: RowOrder
    let numbers: UnsafeMutableBufferPointer<UInt16>

    func callAsFunction(_ sections: some RowNumbering) {
      nonisolated(unsafe) let numbers = numbers
      Parallel.forEachPart(of: order.count) { _, positions in
        order.forEachRow(at: positions) { _, row in
          numbers[Int(row)] = UInt16(truncatingIfNeeded: sections.number(of: Int(row)))
        }
      }
    }
  }
}
