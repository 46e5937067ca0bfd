/// Increasing subsequences: the objects and sections that need not move.
package enum IncreasingSubsequence {
  /// The reason to keep an element: first the number of objects that it stands for, then the number
  /// of those that did not change.
  struct Weight: Comparable {
    var count: Int
    var unchanged: Int

    static let zero = Weight(count: 0, unchanged: 0)
    static let one = Weight(count: 1, unchanged: 0)

    @inline(__always)
    static func < (left: Weight, right: Weight) -> Bool {
      left.count != right.count ? left.count < right.count : left.unchanged < right.unchanged
    }

    @inline(__always)
    static func + (left: Weight, right: Weight) -> Weight {
      Weight(count: left.count &+ right.count, unchanged: left.unchanged &+ right.unchanged)
    }

    @inline(__always)
    static func - (left: Weight, right: Weight) -> Weight {
      Weight(count: left.count &- right.count, unchanged: left.unchanged &- right.unchanged)
    }
  }

  /// The indexes of the longest increasing subsequence of distinct numbers, ascending; among equal
  /// lengths, the one whose indexes come first.
  package static func longestIndexes(of numbers: [Int]) -> [Int] {
    heaviestIndexes(of: numbers) { _ in .one }
  }

  /// The indexes of the increasing subsequence of distinct numbers with the greatest sum of
  /// weights, ascending; among equal sums, the one whose indexes come first.
  ///
  /// - Parameter weight: the weight of the element with an index; its count is at least 1.
  /// - Complexity: O(n) for numbers that are already in order; O(n + r log r) for r runs of
  ///   neighbors that are neighbors among the sorted numbers, too; O(n log n) to sort numbers that
  ///   are far apart.
  static func heaviestIndexes(of numbers: [Int], weight: (Int) -> Weight) -> [Int] {
    if zip(numbers, numbers.dropFirst()).allSatisfy(<) { return Array(numbers.indices) }
    let runs = runs(of: numbers, weight: weight)
    let ranks = ranks(of: runs.map { numbers[$0.indexes.lowerBound] })
    var best = PrefixMaximum(count: runs.count)
    var sums = [Weight](repeating: .zero, count: runs.count)
    for index in runs.indices.reversed() {
      // The ranks are reversed, so that the prefix before a rank holds the greater numbers.
      let rank = runs.count - 1 - ranks[index]
      sums[index] = runs[index].weight + best.maximum(before: rank)
      best.raise(rank, to: sums[index])
    }
    var needed = sums.max() ?? .zero
    var chosen: [Int] = []
    var last = -1
    // Among the greater numbers after the last chosen one, none starts a heavier subsequence than
    // `needed`; otherwise the chosen number would start a heavier one, too. So the first number with
    // the sum `needed` continues a heaviest subsequence.
    for (index, rank) in ranks.enumerated()
    where needed > .zero && sums[index] == needed && rank > last {
      chosen += runs[index].indexes
      last = rank
      needed = needed - runs[index].weight
    }
    return chosen
  }

  /// Neighboring elements that are neighbors among the sorted numbers, too. As each weight is
  /// positive, a heaviest subsequence has all of them or none.
  private struct Run {
    var indexes: Range<Int>
    var weight: Weight
  }

  private static func runs(of numbers: [Int], weight: (Int) -> Weight) -> [Run] {
    let ranks = ranks(of: numbers)
    var runs: [Run] = []
    for (index, rank) in ranks.enumerated() {
      if let last = runs.indices.last, rank == ranks[index - 1] + 1 {
        runs[last].indexes = runs[last].indexes.lowerBound..<index + 1
        runs[last].weight = runs[last].weight + weight(index)
      } else {
        runs.append(Run(indexes: index..<index + 1, weight: weight(index)))
      }
    }
    return runs
  }

  /// For each number, how many of the numbers are smaller.
  private static func ranks(of numbers: [Int]) -> [Int] {
    var ranks = [Int](repeating: 0, count: numbers.count)
    guard let least = numbers.min(), let greatest = numbers.max() else { return ranks }
    if greatest - least < 8 * numbers.count {
      var indexes = [Int](repeating: -1, count: greatest - least + 1)
      for (index, number) in numbers.enumerated() { indexes[number - least] = index }
      var rank = 0
      for index in indexes where index >= 0 {
        ranks[index] = rank
        rank += 1
      }
    } else {
      let sorted = numbers.indices.sorted { numbers[$0] < numbers[$1] }
      for (rank, index) in sorted.enumerated() { ranks[index] = rank }
    }
    return ranks
  }
}

/// A Fenwick tree that returns the maximum of any prefix of its weights in O(log n).
private struct PrefixMaximum {
  private var tree: [IncreasingSubsequence.Weight]

  init(count: Int) { tree = Array(repeating: .zero, count: count + 1) }

  /// The maximum of the weights before `end`; zero for an empty prefix.
  func maximum(before end: Int) -> IncreasingSubsequence.Weight {
    var maximum = IncreasingSubsequence.Weight.zero
    var node = end
    while node > 0 {
      maximum = max(maximum, tree[node])
      node &= node - 1
    }
    return maximum
  }

  mutating func raise(_ index: Int, to weight: IncreasingSubsequence.Weight) {
    var node = index + 1
    while node < tree.count {
      tree[node] = max(tree[node], weight)
      node += node & -node
    }
  }
}
