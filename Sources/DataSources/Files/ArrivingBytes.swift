import DataTables
internal import Dispatch
import Synchronization

/// Bytes in a temporary file that are read while they are written. A read waits for its bytes.
///
/// The number of bytes is stated in advance. If it is wrong, ``end()`` returns a store with the right
/// number, and everything that was read from this one is invalid.
final class ArrivingBytes: ByteStore {
  let count: Int
  private let file: TemporaryFile
  private let writer: BackgroundWriter
  private let arrival: Arrival

  /// - Throws: `TableError.io` when a temporary file cannot be created.
  init(count: Int) throws(TableError) {
    self.count = count
    let file = try TemporaryFile()
    let arrival = Arrival()
    self.file = file
    self.arrival = arrival
    writer = BackgroundWriter { (piece) throws(TableError) in
      try file.append(piece)
      arrival.add(piece.count)
    }
  }

  /// Appends bytes; waits while too many pieces are to be written. Called by one thread at a time.
  /// - Throws: `TableError.io` when earlier bytes could not be written.
  func append(_ piece: [UInt8]) throws(TableError) { try writer.append(piece) }

  /// Waits until the appended bytes are written; no more follow. Reads of missing bytes fail.
  /// - Returns: all bytes.
  /// - Throws: `TableError.io` when bytes could not be written.
  func end() throws(TableError) -> any ByteStore {
    defer { arrival.end() }
    try writer.finish()
    let total = arrival.count
    return total == count ? self : SpooledBytes(file: file, count: total)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard offset >= 0, offset < count, buffer.count > 0 else { return 0 }
    let length = min(buffer.count, count - offset)
    guard arrival.waits(for: offset + length) else {
      throw TableError.changed("the content ends at byte \(arrival.count)")
    }
    return try file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
  }
}

/// The number of bytes that have arrived, and the readers that wait for more.
private final class Arrival: Sendable {
  private struct State {
    var hasEnded = false
    var waiting: [(end: Int, semaphore: DispatchSemaphore)] = []
  }

  private let arrived = Atomic<Int>(0)
  private let state = Mutex(State())

  var count: Int { arrived.load(ordering: .acquiring) }

  func add(_ count: Int) {
    let total = arrived.add(count, ordering: .releasing).newValue
    state.withLock { state in
      state.waiting.removeAll { reader in
        if reader.end <= total { reader.semaphore.signal() }
        return reader.end <= total
      }
    }
  }

  /// Ends all waits.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      for reader in state.waiting { reader.semaphore.signal() }
      state.waiting = []
    }
  }

  /// Waits until `end` bytes have arrived; false if fewer do.
  func waits(for end: Int) -> Bool {
    if count >= end { return true }
    let semaphore = DispatchSemaphore(value: 0)
    let mustWait = state.withLock { state in
      if state.hasEnded || count >= end { return false }
      state.waiting.append((end, semaphore))
      return true
    }
    if mustWait { semaphore.wait() }
    return count >= end
  }
}
