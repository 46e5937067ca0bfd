import DataTables
internal import Dispatch
import Synchronization

/// A decompression whose content is read while it goes on.
final class BackgroundDecompression: Sendable {
  /// Content of the declared size.
  let bytes: ArrivingBytes
  private let outcome = Mutex<Result<Outcome, any Error>?>(nil)
  private let queue = DispatchQueue(label: "dsshell.decompression")

  struct Outcome: Sendable {
    /// Not ``BackgroundDecompression/bytes`` if the declared size is wrong.
    var bytes: any ByteStore
    var notes: [String]
  }

  /// Begins to decompress.
  /// - Parameters:
  ///   - size: the declared size.
  ///   - decompress: passes the pieces to its argument and returns notes.
  /// - Throws: `TableError.io` when a temporary file cannot be created.
  init(
    size: Int,
    _ decompress:
      @escaping @Sendable (_ receive: (consuming [UInt8]) throws -> Void) throws ->
      [String]
  ) throws(TableError) {
    bytes = try ArrivingBytes(count: size)
    queue.async { [self] in
      let notes = Result { try decompress { try bytes.append($0) } }
      let all = Result { try bytes.end() }
      outcome.withLock { $0 = Result { Outcome(bytes: try all.get(), notes: try notes.get()) } }
    }
  }

  /// Waits until all content is decompressed.
  /// - Throws: what `decompress` has thrown; `TableError.io` when bytes could not be written.
  func wait() throws -> Outcome {
    queue.sync {}
    guard let outcome = outcome.withLock({ $0 }) else { throw TableError.cancelled }
    return try outcome.get()
  }
}
