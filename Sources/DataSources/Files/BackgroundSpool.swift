import DataTables
internal import Dispatch
import Synchronization

/// A spool that writes to its file in the background, so that further bytes are made meanwhile.
///
/// Memory: as ``Spool``, and at most 16 pieces.
final class BackgroundSpool: Sendable {
  private let spool: Mutex<Spool>
  private let failure = Mutex<TableError?>(nil)
  private let queue = DispatchQueue(label: "dsshell.spool")
  private let room = DispatchSemaphore(value: 16)
  /// The number of appended bytes.
  private let appended = Mutex(0)

  private let memorySize: Int

  init(memorySize: Int = Spool.memorySize) {
    self.memorySize = memorySize
    spool = Mutex(Spool(memorySize: memorySize))
  }

  var count: Int { appended.withLock { $0 } }

  /// Appends bytes; waits while too many pieces are to be written. Called by one thread at a time.
  /// - Throws: `TableError.io` when these or earlier bytes could not be written.
  func append(_ piece: [UInt8]) throws(TableError) {
    let count = appended.withLock { count in
      count += piece.count
      return count
    }
    guard count > memorySize else { return try write(piece) }
    if let failure = failure.withLock({ $0 }) { throw failure }
    room.wait()
    queue.async { [self] in
      do throws(TableError) {
        try write(piece)
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
      room.signal()
    }
  }

  private func write(_ piece: [UInt8]) throws(TableError) {
    try spool.withLock { spool throws(TableError) in try spool.append(piece) }
  }

  /// Waits until all bytes are written, and returns them; the spool is empty after that.
  /// - Throws: `TableError.io` when bytes could not be written.
  func store() throws(TableError) -> any ByteStore {
    queue.sync {}
    if let failure = failure.withLock({ $0 }) { throw failure }
    return spool.withLock { spool in
      var full = Spool()
      swap(&spool, &full)
      return full.store()
    }
  }
}
