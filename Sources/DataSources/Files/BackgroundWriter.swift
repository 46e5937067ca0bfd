import DataTables
internal import Dispatch
import Synchronization

/// Writes pieces in order in the background, so that further pieces are made meanwhile.
///
/// Memory: at most 16 pieces.
final class BackgroundWriter: Sendable {
  private let write: @Sendable ([UInt8]) throws(TableError) -> Void
  private let failure = Mutex<TableError?>(nil)
  private let queue = DispatchQueue(label: "dsshell.writer")
  private let room = DispatchSemaphore(value: 16)

  init(_ write: @escaping @Sendable ([UInt8]) throws(TableError) -> Void) { self.write = write }

  /// Appends a piece; waits while too many pieces are to be written. Called by one thread at a time.
  /// - Throws: the error of an earlier piece.
  func append(_ piece: [UInt8]) throws(TableError) {
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

  /// Waits until all pieces are written.
  /// - Throws: the error of a piece that was not written.
  func finish() throws(TableError) {
    queue.sync {}
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
