/// The positions of the elements of a list between successive batches in which elements depart and
/// arrive.
///
/// All other elements keep their order. Between two of them are first the elements that have not yet
/// departed, in their old order, then those that have arrived, in their new order.
struct StagedList {
  /// Positions, and the batches in which the elements depart or arrive.
  struct Elements {
    /// In the first list.
    var departures: [(position: Int, batch: Int)] = []
    /// In the last list.
    var arrivals: [(position: Int, batch: Int)] = []
  }

  private let departures: Side
  private let arrivals: Side

  init(_ elements: Elements, batches: Int) {
    departures = Side(elements.departures, batches: batches) { $0 > $1 }
    arrivals = Side(elements.arrivals, batches: batches) { $0 <= $1 }
  }

  /// - Complexity: O(log changes).
  func position(ofOld position: Int, in stage: Int) -> Int {
    let index = departures.index(position)
    let gap = position - index
    let isStaying = !departures.has(position, at: index)
    return gap + departures.counts[stage][index]
      + arrivals.counts[stage][arrivals.index(gap: isStaying ? gap + 1 : gap)]
  }

  func position(ofNew position: Int, in stage: Int) -> Int {
    let index = arrivals.index(position)
    let gap = position - index
    return gap + arrivals.counts[stage][index]
      + departures.counts[stage][departures.index(gap: gap + 1)]
  }

  /// The departing or the arriving elements.
  struct Side {
    /// Ascending.
    private let positions: [Int]
    /// For each list and each number of elements, how many of so many first elements it contains.
    let counts: [[Int]]

    init(
      _ elements: [(position: Int, batch: Int)], batches: Int, isPresent: (Int, Int) -> Bool
    ) {
      let sorted = elements.sorted { $0.position < $1.position }
      positions = sorted.map(\.position)
      counts = (0...batches).map { stage in
        var count = 0
        return [0]
          + sorted.map { element in
            if isPresent(element.batch, stage) { count += 1 }
            return count
          }
      }
    }

    /// The number of these elements before a position.
    func index(_ position: Int) -> Int { positions.partitionPoint { $0 >= position } }

    /// The number of these elements before which there are fewer than `gap` other elements.
    func index(gap: Int) -> Int {
      positions.indices.partitionPoint { positions[$0] - $0 >= gap }
    }

    func has(_ position: Int, at index: Int) -> Bool {
      index < positions.count && positions[index] == position
    }
  }
}
