extension TextHeap {
  /// The sections of rows by the first character of their texts. The heap has one ASCII text per
  /// row.
  ///
  /// - Precondition: the rows are in ascending or descending order of their bytes, with the nulls
  ///   next to each other.
  /// - Returns: nil if `steps` is not `firstCharacter`, if the heap is empty, or if the first byte
  ///   does not determine the first character.
  /// - Complexity: O(sections · log rows).
  func runs(of steps: ArraySlice<ObjectKeyPath.Step>, in order: RowOrder) -> Sections? {
    guard steps.count == 1, case .key("firstCharacter") = steps.first, count > 0 else { return nil }
    var offsets: [Int] = []
    var heads: [Head] = []
    var position = 0
    while position < order.count {
      let head = Head(self, order[position])
      // CR LF is one character.
      if head == .byte(0x0D) { return nil }
      if heads.last?.byte != head.byte || heads.isEmpty {
        offsets.append(position)
        heads.append(head)
      }
      position = end(of: head, from: position, in: order)
    }
    let titles = heads.map { $0.byte.map { .string(String(Unicode.Scalar($0))) } ?? Value.null }
    let groups = heads.map { $0.byte.map { Int($0) + 1 } ?? 0 }
    return Sections(
      offsets: offsets + [order.count], titles: titles,
      repeated: RepeatedTitle.all(titles, groups: groups, bound: 257))
  }

  /// The first byte of a text, or the reason why it has none.
  private enum Head: Equatable {
    case null, empty
    case byte(UInt8)

    init(_ texts: TextHeap, _ number: Int) {
      if texts.isNull(number) {
        self = .null
      } else {
        self = texts.text(number).first.map { .byte($0) } ?? .empty
      }
    }

    /// nil for a null and an empty text, which have no first character.
    var byte: UInt8? { if case .byte(let byte) = self { byte } else { nil } }
  }

  /// The position after the last row that begins with `head`; these rows are contiguous.
  private func end(of head: Head, from start: Int, in order: RowOrder) -> Int {
    // Doubling steps, then bisection: a short run costs little.
    var low = start
    var step = 1
    while low + step < order.count, Head(self, order[low + step]) == head {
      low += step
      step *= 2
    }
    var high = min(low + step, order.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Head(self, order[middle]) == head { low = middle } else { high = middle }
    }
    return high
  }
}
