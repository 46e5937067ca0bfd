import Synchronization

/// Readers of rows that wait for the next who reads, each with the rows it read last.
final class ReaderPool<Reader: Sendable>: Sendable {
  private let idle = Mutex<[Reader]>([])

  /// Calls `body` with a reader that nobody else has meanwhile: the one that was used last, or a new
  /// one while all are in use.
  ///
  /// A reader that failed is not used again, whatever state it is in.
  func withReader<Result>(
    make: () -> Reader, _ body: (Reader) throws -> Result
  ) rethrows -> Result {
    let reader = idle.withLock { $0.popLast() } ?? make()
    let result = try body(reader)
    // More than work at a time are not worth their windows.
    idle.withLock { if $0.count < Parallel.workers { $0.append(reader) } }
    return result
  }
}

extension [Int] {
  /// The places of the elements, those of small elements first: the order in which rows are read.
  var placesAscending: [Int] {
    // Sorted already where neighbours are read.
    let isAscending = zip(self, dropFirst()).allSatisfy { $0 <= $1 }
    return isAscending ? Array(indices) : indices.sorted { self[$0] < self[$1] }
  }
}
