/// Longest increasing subsequences.
enum IncreasingSubsequence {
  /// The indexes of a longest increasing subsequence of distinct numbers, ascending; among
  /// subsequences of equal length, the one whose indexes come first.
  ///
  /// - Complexity: O(n log n); O(n) for numbers that are already in order.
  static func indexes(of numbers: [Int]) -> [Int] {
    let lengths = lengths(from: numbers)
    var needed = lengths.max() ?? 0
    var chosen: [Int] = []
    chosen.reserveCapacity(needed)
    var last = Int.min
    // Among the greater numbers after the last chosen number, none starts a subsequence longer than
    // `needed`; otherwise the chosen number would start a longer subsequence, too. So the first
    // number with the length `needed` continues a longest subsequence.
    for (index, number) in numbers.enumerated()
    where needed > 0 && lengths[index] == needed && number > last {
      chosen.append(index)
      last = number
      needed -= 1
    }
    return chosen
  }

  /// For each number, the length of the longest increasing subsequence that starts with it.
  private static func lengths(from numbers: [Int]) -> [Int] {
    var lengths = [Int](repeating: 0, count: numbers.count)
    // For each length, the greatest number that starts a subsequence of that length; descending.
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

  /// The indexes of the increasing subsequence of distinct numbers with the greatest sum of
  /// weights, ascending; among equal sums, the one whose indexes come first.
  ///
  /// - Parameter weights: one per number, at least 1.
  /// - Complexity: O(n log n).
  static func heaviestIndexes(of numbers: [Int], weights: [Int]) -> [Int] {
    let ranks = ranks(of: numbers)
    var best = PrefixMaximum(count: numbers.count)
    var sums = [Int](repeating: 0, count: numbers.count)
    for index in numbers.indices.reversed() {
      // The ranks are reversed, so that the prefix before a rank holds the greater numbers.
      let rank = numbers.count - 1 - ranks[index]
      sums[index] = weights[index] + best.maximum(before: rank)
      best.raise(rank, to: sums[index])
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

  /// The maximum of the numbers before `end`; 0 for an empty prefix.
  func maximum(before end: Int) -> Int {
    var maximum = 0
    var node = end
    while node > 0 {
      maximum = max(maximum, tree[node])
      node &= node - 1
    }
    return maximum
  }

  mutating func raise(_ index: Int, to number: Int) {
    var node = index + 1
    while node < tree.count {
      tree[node] = max(tree[node], number)
      node += node & -node
    }
  }
}
