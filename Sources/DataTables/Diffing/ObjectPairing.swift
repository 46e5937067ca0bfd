/// Which object of an old content is which of a new one.
struct ObjectPairing {
  /// For each old position the new one of the same object; -1 for none.
  let newPositions: [Int]
  /// For each new position whether its object was there before.
  let isOld: [Bool]

  /// The k-th of equal numbers pairs with the k-th.
  /// - Complexity: O(positions + greatest number).
  init(old: [UInt32], new: [UInt32]) {
    let bound = Int(max(old.max() ?? 0, new.max() ?? 0)) + 1
    // A list of positions for each number, from its first one on.
    var heads = [Int](repeating: -1, count: bound)
    var next = [Int](repeating: -1, count: new.count)
    for position in new.indices.reversed() {
      next[position] = heads[Int(new[position])]
      heads[Int(new[position])] = position
    }
    var isOld = [Bool](repeating: false, count: new.count)
    newPositions = old.map { number in
      let position = heads[Int(number)]
      guard position >= 0 else { return -1 }
      heads[Int(number)] = next[position]
      isOld[position] = true
      return position
    }
    self.isOld = isOld
  }
}
