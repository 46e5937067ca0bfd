/// One number per row that ascends with the first sort descriptors, to choose the rows that a sort
/// would put first.
struct LeadingKeys {
  private enum Form {
    case word(SortWord)
    /// The first eight bytes of each text.
    case texts(RowCodes, TextHeap, KeyFolding)
    /// All rows are equal.
    case constant
  }
  private let form: Form
  /// Whether rows with equal numbers are equal by all descriptors.
  let isExact: Bool

  /// Ranking more texts than this costs more than comparing the first bytes of each.
  private static let maxRankedTexts = 1 << 14

  /// - Precondition: no key of the descriptors is unknown.
  init(
    _ table: any Table, _ descriptors: [SortDescriptor], cancellation: Cancellation
  ) throws {
    var levels: [SortLevel] = []
    for descriptor in descriptors {
      let column = try table.column(descriptor.keyPath, cancellation: cancellation)
      if case .coded(let codes, let values) = column, case .texts(let texts) = values.storage,
        texts.count > Self.maxRankedTexts
      {
        // The descriptors before this one choose candidates, which are then compared by all.
        if !levels.isEmpty { break }
        if descriptor.comparison == .compare, descriptor.list.isEmpty,
          texts.blocks.allSatisfy(\.isASCII)
        {
          let folding = KeyFolding(
            isDescending: descriptor.direction == .descending,
            nullsFirst: descriptor.putsNullsFirst)
          form = .texts(codes, texts, folding)
          isExact = false
          return
        }
      }
      levels.append(
        try SortLevel(
          column, descriptor, usesGrid: descriptors.count > 1, cancellation: cancellation))
    }
    let words = SortWord.packed(levels)
    form = words.first.map { .word($0) } ?? .constant
    isExact = words.count <= 1 && levels.count == descriptors.count
  }

  /// The positions in `order` of the rows with the `count` least numbers, in the order of the
  /// numbers and then of the positions. Unless the numbers are exact, all rows with the greatest of
  /// these numbers are included.
  ///
  /// - Parameter count: at least 1.
  /// - Complexity: O(rows + count log count) expected.
  func leading(_ count: Int, in order: RowOrder, cancellation: Cancellation) throws -> [UInt32] {
    if case .constant = form {
      return (0..<(isExact ? min(count, order.count) : order.count)).map {
        UInt32(truncatingIfNeeded: $0)
      }
    }
    let order = order.computed
    let parts = Parallel.parts(of: order.count)
    @Sendable func positions(_ part: Int) -> Range<Int> {
      order.count * part / parts..<order.count * (part + 1) / parts
    }
    let least = WorkerSlots<LeastNumbers>(parts)
    try Parallel.forEach(parts) { part, _ in
      least[part] = try leastNumbers(count, in: order, at: positions(part), cancellation)
    }
    var all = LeastNumbers(count)
    for part in 0..<parts { for number in least[part]?.numbers ?? [] { all.add(number) } }
    let (bound, less) = all.bound()
    let most = isExact ? count - less : .max
    let found = WorkerSlots<Chosen>(parts)
    try Parallel.forEach(parts) { part, _ in
      found[part] = try chosen(
        upTo: bound, ties: most, in: order, at: positions(part), cancellation)
    }
    // Entries with equal keys are in the order of their positions.
    var entries = (0..<parts).flatMap { found[$0]?.less ?? [] }
    entries += (0..<parts).flatMap { found[$0]?.ties ?? [] }.prefix(most)
    KeyedIndex.sort(&entries)
    return entries.map(\.index)
  }

  private func leastNumbers(
    _ count: Int, in order: RowOrder, at positions: Range<Int>, _ cancellation: Cancellation
  ) throws -> LeastNumbers {
    var least = LeastNumbers(count)
    try forEachNumber(order, positions, cancellation) { _, number in least.add(number) }
    return least
  }

  /// The positions with numbers less than the bound, and equal to it.
  private struct Chosen {
    var less: [KeyedIndex] = []
    var ties: [KeyedIndex] = []
  }

  /// - Parameter ties: the greatest number of positions whose number equals the bound.
  private func chosen(
    upTo bound: UInt64, ties: Int, in order: RowOrder, at positions: Range<Int>,
    _ cancellation: Cancellation
  ) throws -> Chosen {
    var chosen = Chosen()
    try forEachNumber(order, positions, cancellation) { position, number in
      guard number <= bound else { return }
      let entry = KeyedIndex(key: number, index: UInt32(truncatingIfNeeded: position))
      if number < bound {
        chosen.less.append(entry)
      } else if chosen.ties.count < ties {
        chosen.ties.append(entry)
      }
    }
    return chosen
  }

  // Inlined with its closure: no call per row.
  @inline(__always)
  private func forEachNumber(
    _ order: RowOrder, _ positions: Range<Int>, _ cancellation: Cancellation,
    _ body: (_ position: Int, _ number: UInt64) -> Void
  ) throws {
    let size = 1 << 20
    for start in stride(from: positions.lowerBound, to: positions.upperBound, by: size) {
      try cancellation.check()
      let range = start..<min(positions.upperBound, start + size)
      switch form {
      case .constant: break
      case .word(let word):
        word.forEachBlock(order, range) { (positions, numbers: UnsafeMutablePointer<UInt64>) in
          for (index, position) in positions.enumerated() { body(position, numbers[index]) }
        }
      case .texts(let codes, let texts, let folding):
        order.forEachRow(at: range) { index, row in
          body(range.lowerBound + index, folding(texts.leadingBytes(codes[Int(row)])))
        }
      }
    }
  }
}

/// The least of many numbers.
private struct LeastNumbers {
  private let count: Int
  private(set) var numbers: [UInt64] = []
  /// No greater number can be among the least.
  private var limit = UInt64.max

  init(_ count: Int) { self.count = count }

  @inline(__always) mutating func add(_ number: UInt64) {
    guard number < limit else { return }
    numbers.append(number)
    // Sorting a batch now and then costs less than keeping a heap in order.
    if numbers.count >= count * 2 + 4_096 { shorten() }
  }

  private mutating func shorten() {
    numbers.sort()
    if numbers.count > count { numbers.removeLast(numbers.count - count) }
    if numbers.count == count, let last = numbers.last { limit = last }
  }

  /// The greatest of the least numbers, and how many of them are less than it.
  mutating func bound() -> (bound: UInt64, less: Int) {
    shorten()
    // The greatest number of all is never added.
    guard numbers.count == count, let bound = numbers.last else { return (.max, numbers.count) }
    return (bound, numbers.count { $0 < bound })
  }
}

extension TextHeap {
  /// The first eight bytes of a text, in an order that never contradicts the order of the bytes;
  /// the greatest number for null.
  /// - Precondition: the text is ASCII, so that no text has this number.
  fileprivate func leadingBytes(_ number: Int) -> UInt64 {
    let (block, index) = place(of: number)
    if block.isNull(index) { return NumericColumn.null }
    var bytes: UInt64 = 0
    var shift: UInt64 = 64
    for byte in block.text(index).prefix(8) {
      shift -= 8
      bytes |= UInt64(byte) << shift
    }
    return bytes
  }
}
