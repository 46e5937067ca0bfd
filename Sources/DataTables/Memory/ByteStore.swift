/// Bytes that are read by position: a file or memory.
///
/// The stores for files are in `DataSources`, the only module that does input and output.
public protocol ByteStore: Sendable {
  /// The number of bytes, fixed for the life of the store.
  var count: Int { get }

  /// Copies bytes, starting at `offset`, into `buffer` and returns their number, which is less than
  /// the size of the buffer only at the end of the store.
  /// - Throws: ``TableError/changed(_:)`` if the bytes have changed since they were first read;
  ///   ``TableError/io(_:)``.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int

  /// Checks that the bytes have not changed, as a read does. Called before bytes that were read
  /// earlier are used again.
  /// - Throws: ``TableError/changed(_:)`` if the bytes have changed since they were first read.
  func checkUnchanged() throws
}

extension ByteStore {
  public func checkUnchanged() throws {}
}

/// Bytes in memory.
public struct MemoryBytes: ByteStore {
  let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public var count: Int { bytes.count }

  public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard offset < bytes.count else { return 0 }
    let length = min(buffer.count, bytes.count - offset)
    bytes.withUnsafeBytes { source in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + length]))
    }
    return length
  }
}

/// The bytes of a file that was read as a whole.
///
/// Unchecked `Sendable` is safe: nothing is written after the initializer has filled the memory.
package final class WholeBytes: ByteStore, @unchecked Sendable {
  private let memory: UnsafeMutableBufferPointer<UInt8>
  package let count: Int

  /// - Parameter fill: receives all of the memory and fills it from end to end.
  package init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    memory = LargePages.allocate(UInt8.self, capacity: count)
    self.count = count
    try fill(UnsafeMutableRawBufferPointer(memory))
  }

  deinit { memory.deallocate() }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard offset < count else { return 0 }
    let length = min(buffer.count, count - offset)
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(memory)[offset..<offset + length]))
    return length
  }
}
