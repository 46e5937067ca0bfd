internal import CScan

// A comparison of a column with constants has the same result for all keys between two neighboring
// constants. So it is evaluated for one value per span of keys.
extension NumericColumn {
  /// The keys after the previous span up to `last`, and the result of a comparison for these keys.
  struct Span: Sendable {
    let last: UInt64
    let isMatch: Bool
  }

  /// The spans, ascending, which together cover all keys; the last span holds only the key of null.
  /// Returns nil if `leaf` does not compare this column with a constant.
  func spans(of leaf: Predicate) -> [Span]? {
    guard case .comparison(let comparison) = leaf else { return nil }
    let constant: Value
    switch (comparison.left, comparison.right) {
    case (.key, let right):
      guard let value = right.constant else { return nil }
      constant = value
    case (let left, .key):
      guard let value = left.constant else { return nil }
      constant = value
    default: return nil
    }
    var ends: [UInt64] = [Self.null - 1, Self.null]
    for scalar in constant.scalars {
      // This key may be the key of the constant itself, so it gets a span of its own.
      for key in keys(around: scalar) {
        if key > 0 { ends.append(key - 1) }
        ends.append(key)
      }
    }
    // The infinities and NaN, which are at the ends, have spans of their own.
    if kind == .real {
      ends += [-.infinity, .greatestFiniteMagnitude, .infinity].map { Self.key($0 as Double) }
    }
    ends.sort()
    var spans: [Span] = []
    for (index, last) in ends.enumerated() where index == 0 || ends[index - 1] != last {
      let value = value(of: sample(upTo: last))
      let span = Span(last: last, isMatch: (try? leaf.holds { _ in value }) ?? false)
      if last != Self.null, spans.last?.isMatch == span.isMatch { spans.removeLast() }
      spans.append(span)
    }
    return spans
  }

  /// A key of a number or date in the span that ends with `last`.
  private func sample(upTo last: UInt64) -> UInt64 {
    guard kind == .real, last != Self.null else { return last }
    // No number has the key of -0; its double would equal 0.
    if last == Self.key(0.0) - 1 { return last - 1 }
    return last > Self.key(Double.infinity) ? Self.key(Double.nan) : last
  }

  /// The keys at which the result of a comparison with the constant can change.
  private func keys(around constant: Value) -> [UInt64] {
    switch (kind, constant) {
    case (.integer, .integer(let integer)): return [Self.key(integer) ?? Self.null - 1]
    case (.integer, .real(let real)): return Self.integers(around: real).compactMap(Self.key)
    case (.real, .integer(let integer)): return [Self.key(Double(integer))]
    case (.real, .real(let real)): return Self.key(real).map { [$0] } ?? []
    case (.date, .date(let date)): return Self.ticks(around: date).compactMap(Self.key)
    case (.date, .string(let text)):
      return Timestamp(iso: text).map(Self.ticks)?.compactMap(Self.key) ?? []
    default: return []
    }
  }

  /// The least integer that is not below the number, and the previous integer. They are found by
  /// comparisons, because doubles do not distinguish neighbors beyond 2^53.
  private static func integers(around real: Real) -> [Int] {
    var low = Int.min
    var high = Int.max
    while low < high {
      // The midpoint without overflow.
      let middle = (low & high) + (low ^ high) >> 1
      if real.compare(middle) == .after { low = middle + 1 } else { high = middle }
    }
    return low == .min ? [low] : [low - 1, low]
  }

  private static func ticks(around date: Timestamp) -> [Int] {
    let ticks = date.secondsFromGMT * 10_000_000 + date.nanoseconds / 100
    return [ticks, ticks + 1]
  }

  /// The rows whose keys are in matching spans.
  /// - Parameter candidates: other rows need not be examined, and may be in the result.
  func mask(
    of spans: [Span], among candidates: RowMask, cancellation: Cancellation
  ) throws -> RowMask {
    let candidates = candidates.words
    // Each key is compared with a few intervals, without a branch; the ends of many spans are searched
    // by bisection.
    let intervals = Self.intervals(of: spans)
    let isShort = intervals.count <= Self.few
    let keysIn = Self.keysIn
    let ends = spans.map(\.last)
    let matching = spans.map { $0.isMatch ? UInt64(1) : 0 }
    return try RowMask.filled(keys.count, cancellation: cancellation) { rows in
      if candidates[rows.lowerBound >> 6] == 0 { return 0 }
      return keys.withUnsafeBufferPointer { keys in
        let keys = UnsafeBufferPointer(rebasing: keys[rows])
        if isShort, let keysIn {
          return keysIn(keys.baseAddress, keys.count, intervals, intervals.count)
        }
        var word: UInt64 = 0
        for (bit, key) in keys.enumerated() {
          word |= matching[Self.search(ends, for: key)] &<< UInt64(truncatingIfNeeded: bit)
        }
        return word
      }
    }
  }

  /// Up to this number of intervals, comparing with all of them is faster than a search.
  private static let few = 4

  private static let keysIn = ds_kernels_best().pointee.keys_in

  private static func intervals(of spans: [Span]) -> [ds_interval] {
    var first: UInt64 = 0
    return spans.compactMap { span in
      defer { first = span.last &+ 1 }
      return span.isMatch ? ds_interval(first: first, distance: span.last - first) : nil
    }
  }

  /// The index of the first end that is not below the key.
  private static func search(_ ends: [UInt64], for key: UInt64) -> Int {
    var low = 0
    var high = ends.count - 1
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Value {
  /// The elements of an array, otherwise the value itself.
  fileprivate var scalars: [Value] {
    if case .array(let elements) = self { elements } else { [self] }
  }
}
