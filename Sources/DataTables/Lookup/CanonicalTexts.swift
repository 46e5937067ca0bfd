/// The texts of a column, hashed and compared by canonical equivalence.
struct CanonicalTexts: Sendable {
  private let heap: TextHeap
  private let places: TextPlaces
  private let hasNulls: Bool

  init(_ heap: TextHeap) {
    self.heap = heap
    places = TextPlaces(heap)
    hasNulls = heap.blocks.contains { !$0.nulls.isEmpty }
  }

  @inline(__always)
  private func text(_ number: Int) -> UnsafeRawBufferPointer {
    let (start, count) = places.text(UInt32(truncatingIfNeeded: number))
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Only empty texts need a closer look.
  @inline(__always)
  func isNull(_ number: Int) -> Bool {
    hasNulls && text(number).isEmpty && heap.isNull(number)
  }

  @inline(__always)
  func hash(_ number: Int) -> UInt64 { isNull(number) ? 0 : Self.hash(text(number)) }

  static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    if text.isSurelyCanonical { return Hash.bytes(text) }
    return CanonicalForm.bytes(of: text).withUnsafeBytes { Hash.bytes($0) }
  }

  /// Whether two texts, which may be null, are equal.
  func areEqual(_ number: Int, _ other: Int) -> Bool {
    let isNull = isNull(number)
    return isNull == self.isNull(other) && (isNull || equals(number, text(other)))
  }

  /// Whether a text that is not null is canonically equivalent to another.
  func equals(_ number: Int, _ other: UnsafeRawBufferPointer) -> Bool {
    let text = text(number)
    if text.count == other.count, text.byteOrder(other) == .same { return true }
    if text.isSurelyCanonical && other.isSurelyCanonical { return false }
    return CanonicalForm.bytes(of: text) == CanonicalForm.bytes(of: other)
  }
}
