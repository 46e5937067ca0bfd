extension TextHeap {
  /// The order of a descriptor, ascending.
  /// - Throws: ``TableError/badArgument(_:)`` for a locale that does not exist.
  func sorted(by descriptor: SortDescriptor, cancellation: Cancellation) throws -> CodeOrder {
    switch descriptor.comparison {
    case .compare: return try sorted(cancellation: cancellation)
    case .caseInsensitive:
      return try lowercased(cancellation: cancellation).sorted(cancellation: cancellation)
    case .numeric:
      let values = Array(DistinctValues(self))
      return try ValueComparer(values, descriptor, cancellation: cancellation)
        .order(cancellation: cancellation)
    case .localized, .localizedCaseInsensitive, .localizedStandard:
      return try Collation(descriptor.comparison, locale: descriptor.locale)
        .order(of: self, cancellation: cancellation)
    }
  }

  private func lowercased(cancellation: Cancellation) throws -> TextHeap {
    try mapped(cancellation: cancellation, makeWorker: {}) { _, text, writer in
      guard text.isASCII else {
        return writer.append(String(decoding: text, as: UTF8.self).lowercased())
      }
      let (target, ends) = writer.room(texts: 1, bytes: text.count)
      for (index, byte) in text.enumerated() {
        target[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
      }
      ends[0] = writer.position + UInt32(text.count)
      writer.took(1, bytes: text.count)
    }
  }

  /// The order by `compare`, that of the scalars of the canonical composition.
  ///
  /// - Complexity: O(bytes) for texts that differ early; what has combining marks is compared as
  ///   strings.
  func sorted(cancellation: Cancellation) throws -> CodeOrder {
    let excluded = try textsWithoutByteOrder(cancellation: cancellation)
    let order = try TextSort(self, excluded: excluded).sorted(cancellation: cancellation)
    var others: [OrderMerge.Other] = []
    for (place, block) in blocks.enumerated() where !block.isASCII {
      for index in 0..<block.count where excluded[place].isSet(index) && !block.isNull(index) {
        let string = String(decoding: block.text(index), as: UTF8.self)
        others.append((string, UInt32(truncatingIfNeeded: starts[place] + index)))
      }
    }
    if others.isEmpty { return order }
    try cancellation.check()
    others.sort { ($0.string, $0.number) < ($1.string, $1.number) }
    var merge = OrderMerge(heap: self, order: order)
    for other in others { merge.take(other) }
    return merge.finish()
  }
}

/// Puts strings into an order of texts.
private struct OrderMerge {
  typealias Other = (string: String, number: UInt32)

  let heap: TextHeap
  let order: CodeOrder
  private var merged = CodeOrder(codes: [], repeats: [])
  private var position = 0
  private var nextRepeat = 0
  /// The string taken last, where it was not one of `order`.
  private var last: String?

  init(heap: TextHeap, order: CodeOrder) {
    self.heap = heap
    self.order = order
  }

  /// - Parameter other: not before the one taken last.
  mutating func take(_ other: Other) {
    takeOrder(to: firstPosition(behind: other))
    if (last ?? merged.codes.last.map { heap.string(Int($0)) }) == other.string {
      merged.repeats.append(merged.codes.count)
    }
    merged.codes.append(other.number)
    last = other.string
  }

  mutating func finish() -> CodeOrder {
    takeOrder(to: order.codes.count)
    return merged
  }

  private mutating func takeOrder(to end: Int) {
    while position < end {
      let number = order.codes[position]
      // What repeats the one before still does when others stand between: they are equal too.
      let isRepeat = nextRepeat < order.repeats.count && order.repeats[nextRepeat] == position
      if isRepeat { nextRepeat += 1 }
      if isRepeat || last.map({ $0 == heap.string(Int(number)) }) ?? false {
        merged.repeats.append(merged.codes.count)
      }
      last = nil
      merged.codes.append(number)
      position += 1
    }
  }

  /// Found in steps that double, as the others may be few or many.
  private func firstPosition(behind other: Other) -> Int {
    var low = position
    var step = 1
    while low + step <= order.codes.count, !isBehind(other, low + step - 1) {
      low += step
      step *= 2
    }
    var high = min(low + step - 1, order.codes.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(other, middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func isBehind(_ other: Other, _ position: Int) -> Bool {
    let number = order.codes[position]
    return (other.string, other.number) < (heap.string(Int(number)), number)
  }
}
