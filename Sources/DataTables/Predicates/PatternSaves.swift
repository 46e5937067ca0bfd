/// The slots that the steps of a pattern save.
struct PatternSaves {
  /// For each step, the place of its slots in `lists`; 0 for none.
  private var places: [Int32]
  /// Slots, each list after its length.
  private var lists: [Int32] = [0]

  init(count: Int) { places = [Int32](repeating: 0, count: count) }

  mutating func append(count: Int) { places += repeatElement(0, count: count) }

  mutating func set(_ slots: [Int], ofStep step: Int) {
    if slots.isEmpty { return }
    places[step] = Int32(lists.count)
    lists.append(Int32(slots.count))
    lists += slots.map { Int32($0) }
  }

  mutating func copy(fromStep step: Int, toStep other: Int) { places[other] = places[step] }

  @inline(__always)
  func save(_ index: Int, ofStep step: Int, in slots: UnsafeMutableBufferPointer<Int>) {
    let place = Int(places[step])
    var count = Int(lists[place])
    while count > 0 {
      slots[Int(lists[place + count])] = index
      count -= 1
    }
  }
}
