import DataTables
import Synchronization

/// A spool that writes to its file in the background.
final class BackgroundSpool: Sendable {
  private let spool: SharedSpool
  private let writer: BackgroundWriter
  private let memorySize: Int
  /// The number of appended bytes.
  private let appended = Mutex(0)

  /// A spool cannot be captured by a closure, because it is not copyable.
  private final class SharedSpool: Sendable {
    let content: Mutex<Spool>

    init(memorySize: Int) { content = Mutex(Spool(memorySize: memorySize)) }

    func append(_ piece: [UInt8]) throws(TableError) {
      try content.withLock { spool throws(TableError) in try spool.append(piece) }
    }
  }

  init(memorySize: Int = Spool.memorySize) {
    self.memorySize = memorySize
    let spool = SharedSpool(memorySize: memorySize)
    self.spool = spool
    writer = BackgroundWriter { (piece) throws(TableError) in try spool.append(piece) }
  }

  var count: Int { appended.withLock { $0 } }

  /// Appends bytes; waits while too many pieces are to be written. Called by one thread at a time.
  /// - Throws: `TableError.io` when these or earlier bytes could not be written.
  func append(_ piece: [UInt8]) throws(TableError) {
    let count = appended.withLock { count in
      count += piece.count
      return count
    }
    if count > memorySize { try writer.append(piece) } else { try spool.append(piece) }
  }

  /// Waits until all bytes are written, and returns them; the spool is empty after that.
  /// - Throws: `TableError.io` when bytes could not be written.
  func store() throws(TableError) -> any ByteStore {
    try writer.finish()
    return spool.content.withLock { spool in
      var full = Spool()
      swap(&spool, &full)
      return full.store()
    }
  }
}
