/// Longest increasing subsequences.
enum IncreasingSubsequence {
  /// The indexes of a longest increasing subsequence of different numbers, ascending; among
  /// subsequences of equal length, the one whose indexes come first.
  ///
  /// - Complexity: O(n log n), O(n) for numbers that are in order already.
  static func indexes(of numbers: [Int]) -> [Int] {
    let lengths = lengths(from: numbers)
    var needed = lengths.max() ?? 0
    var chosen: [Int] = []
    chosen.reserveCapacity(needed)
    var last = Int.min
    // No number after the last chosen one begins a subsequence longer than needed, or a longer one
    // could have been chosen. So the first one that is long enough is correct.
    for (index, number) in numbers.enumerated()
    where needed > 0 && lengths[index] == needed && number > last {
      chosen.append(index)
      last = number
      needed -= 1
    }
    return chosen
  }

  /// For each number, the length of the longest increasing subsequence that begins with it.
  private static func lengths(from numbers: [Int]) -> [Int] {
    var lengths = [Int](repeating: 0, count: numbers.count)
    // The greatest number that begins a subsequence of each length; descending.
    var heads: [Int] = []
    for index in numbers.indices.reversed() {
      let number = numbers[index]
      var low = 0
      var high = heads.count
      if let last = heads.last, number < last {
        low = high
      }
      while low < high {
        let middle = (low + high) / 2
        if heads[middle] > number { low = middle + 1 } else { high = middle }
      }
      if low == heads.count { heads.append(number) } else { heads[low] = number }
      lengths[index] = low + 1
    }
    return lengths
  }

  /// The indexes of the increasing subsequence of different numbers with the greatest sum of
  /// weights, ascending; among equal sums, the one whose indexes come first.
  ///
  /// - Parameter weights: one per number, at least 1.
  /// - Complexity: O(n log n).
  static func heaviestIndexes(of numbers: [Int], weights: [Int]) -> [Int] {
    let places = ranks(of: numbers)
    var best = PrefixMaximum(count: numbers.count)
    var sums = [Int](repeating: 0, count: numbers.count)
    for index in numbers.indices.reversed() {
      // From the end, so that a prefix holds the greater numbers.
      let place = numbers.count - 1 - places[index]
      sums[index] = weights[index] + best.maximum(before: place)
      best.raise(place, to: sums[index])
    }
    var needed = sums.max() ?? 0
    var chosen: [Int] = []
    var last = Int.min
    for (index, number) in numbers.enumerated()
    where needed > 0 && sums[index] == needed && number > last {
      chosen.append(index)
      last = number
      needed -= weights[index]
    }
    return chosen
  }

  private static func ranks(of numbers: [Int]) -> [Int] {
    var ranks = [Int](repeating: 0, count: numbers.count)
    for (rank, index) in numbers.indices.sorted(by: { numbers[$0] < numbers[$1] }).enumerated() {
      ranks[index] = rank
    }
    return ranks
  }
}

/// A Fenwick tree that returns the maximum of any prefix of its numbers in O(log n).
private struct PrefixMaximum {
  private var tree: [Int]

  init(count: Int) { tree = [Int](repeating: 0, count: count + 1) }

  /// 0 for an empty prefix.
  func maximum(before end: Int) -> Int {
    var maximum = 0
    var node = end
    while node > 0 {
      maximum = max(maximum, tree[node])
      node &= node - 1
    }
    return maximum
  }

  mutating func raise(_ place: Int, to number: Int) {
    var node = place + 1
    while node < tree.count {
      tree[node] = max(tree[node], number)
      node += node & -node
    }
  }
}
