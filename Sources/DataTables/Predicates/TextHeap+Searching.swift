extension TextHeap {
  /// The texts that match a pattern, on all processors. Nulls do not match.
  /// - Parameter candidates: other texts need not be examined, and may be in the result.
  /// - Complexity: O(bytes) for a pattern that is not an expression.
  func mask(
    of pattern: TextPattern, among candidates: RowMask, cancellation: Cancellation
  ) throws -> RowMask {
    let matchers = WorkerSlots<TextMatcher>(Parallel.workers)
    let search = TextSearch(pattern)
    return try RowMask.filledInPieces(count, cancellation: cancellation) { texts, worker in
      let words = candidates.words[texts.lowerBound / 64..<(texts.upperBound + 63) / 64]
      let population = words.reduce(0) { $0 + $1.nonzeroBitCount }
      // Taken out of its slot, so that it is not copied.
      var matcher = matchers[worker] ?? TextMatcher(pattern)
      matchers[worker] = nil
      defer { matchers[worker] = matcher }
      var bits = MaskPiece(texts)
      if population == 0 { return bits.words }
      var (place, start) = self.place(ofBlockWith: texts.lowerBound)
      while place < blocks.count, start < texts.upperBound {
        let block = blocks[place]
        let range = max(0, texts.lowerBound - start)..<min(block.count, texts.upperBound - start)
        // Few candidates are found faster one by one.
        if population < texts.count / 16 {
          for index in range
          where candidates.contains(start + index) && !block.isNull(index)
            && matcher.matches(block.text(index))
          {
            bits.insert(start + index)
          }
        } else {
          search.search(block, range, first: start, &matcher, &bits)
        }
        start += block.count
        place += 1
      }
      return bits.words
    }
  }

  private func place(ofBlockWith number: Int) -> (place: Int, start: Int) {
    let place = starts.partition(after: number)
    return (place, starts[place])
  }
}

extension [Int] {
  /// The index of the last element that is not above `number`, in an ascending array.
  fileprivate func partition(after number: Int) -> Int {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle } else { high = middle }
    }
    return low
  }
}

/// The bits of some texts of a heap.
private struct MaskPiece {
  private(set) var words: [UInt64]
  private let first: Int

  init(_ texts: Range<Int>) {
    words = [UInt64](repeating: 0, count: (texts.count + 63) / 64)
    first = texts.lowerBound
  }

  @inline(__always)
  mutating func insert(_ text: Int) {
    let bit = text &- first
    words[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  mutating func remove(_ text: Int) {
    let bit = text &- first
    words[bit >> 6] &= ~(1 << UInt64(bit & 63))
  }
}

/// Searches the texts of a block.
private struct TextSearch {
  private let pattern: TextPattern
  private let isExpression: Bool
  private let matchesEmpty: Bool

  init(_ pattern: TextPattern) {
    self.pattern = pattern
    if case .expression = pattern.form { isExpression = true } else { isExpression = false }
    matchesEmpty = pattern.matches("")
  }

  /// Inserts the texts of `range` that match.
  /// - Parameter first: the number of the first text of the block in the heap.
  func search(
    _ block: TextBlock, _ range: Range<Int>, first: Int, _ matcher: inout TextMatcher,
    _ bits: inout MaskPiece
  ) {
    if isExpression, pattern.needle == nil {
      for index in range where matcher.matchesBytes(of: block.text(index)) {
        bits.insert(first + index)
      }
    } else {
      // These texts are not compared by their bytes.
      let others = pattern.options.isEmpty ? block.notPlain : block.notASCII
      if let needle = pattern.needle {
        find(needle, in: block, range, others, first: first, &matcher, &bits)
      }
      if !others.isEmpty {
        for index in range where others.isSet(index) && matcher.matchesOther(block.text(index)) {
          bits.insert(first + index)
        }
      }
    }
    if matchesEmpty, !block.nulls.isEmpty {
      for index in range where block.isNull(index) { bits.remove(first + index) }
    }
  }

  private func find(
    _ needle: TextNeedle, in block: TextBlock, _ range: Range<Int>, _ others: [UInt64], first: Int,
    _ matcher: inout TextMatcher, _ bits: inout MaskPiece
  ) {
    switch pattern.form {
    case .part where needle.count > 0, .expression:
      scan(for: needle, in: block, range) { index, text, place in
        if others.isSet(index) { return true }
        let isMatch =
          isExpression ? matcher.matchesBytes(of: text) : needle.isWhole(in: text, at: place)
        if isMatch { bits.insert(first + index) }
        return isMatch || isExpression
      }
    case .whole: insert(range, of: block, others, first, &bits) { needle.equals($0) }
    case .prefix: insert(range, of: block, others, first, &bits) { needle.isPrefix(of: $0) }
    case .suffix: insert(range, of: block, others, first, &bits) { needle.isSuffix(of: $0) }
    case .part: insert(range, of: block, others, first, &bits) { _ in true }
    }
  }

  /// Inserts the texts that pass a test, without `others`.
  @inline(__always)
  private func insert(
    _ range: Range<Int>, of block: TextBlock, _ others: [UInt64], _ first: Int,
    _ bits: inout MaskPiece, where isMatch: (UnsafeRawBufferPointer) -> Bool
  ) {
    for index in range where isMatch(block.text(index)) && !others.isSet(index) {
      bits.insert(first + index)
    }
  }

  /// Finds the needle in all texts at once.
  ///
  /// - Parameter visit: receives a text with the needle, and the place of the needle in it; returns
  ///   whether the rest of the text is skipped.
  @inline(__always)
  private func scan(
    for needle: TextNeedle, in block: TextBlock, _ range: Range<Int>,
    _ visit: (_ index: Int, _ text: UnsafeRawBufferPointer, _ place: Int) -> Bool
  ) {
    var index = range.lowerBound
    var place = block.bounds.start(of: index)
    let end = block.bounds.start(of: range.upperBound)
    while place < end,
      let found = needle.first(
        in: UnsafeRawBufferPointer(start: block.bytes + place, count: end - place))
    {
      place += found
      index = block.index(ofTextAt: place, from: index)
      let text = block.text(index)
      let start = block.bounds.start(of: index)
      // The needle may also begin in one text and end in the next.
      let isInside = place - start + needle.count <= text.count
      if isInside, visit(index, text, place - start) {
        place = start + text.count
        index += 1
      } else {
        place += 1
      }
    }
  }
}
