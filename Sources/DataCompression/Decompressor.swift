/// Decompresses a stream whose bytes arrive in pieces.
package protocol Decompressor: AnyObject {
  func append(_ bytes: [UInt8])

  /// The next decompressed bytes, of limited size; nil if more input is needed.
  func next() throws(CorruptData) -> [UInt8]?

  /// Whether the stream may end after the bytes so far.
  var isComplete: Bool { get }

  /// The number of input bytes before the one that is decompressed next.
  var position: Int { get }
}

/// Bytes that are not in the declared format.
package struct CorruptData: Error {
  /// A clause: `the checksum does not match`.
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The input of a decompressor that has not been consumed.
struct PendingInput {
  private var bytes: [UInt8] = []
  /// The number of leading bytes that have been consumed.
  private var start = 0
  /// The number of bytes of the stream before `bytes`.
  private var base = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }
  var unread: ArraySlice<UInt8> { bytes[start...] }
  /// The number of bytes that have been consumed.
  var position: Int { base + start }

  mutating func append(_ more: [UInt8]) {
    if isEmpty {
      base += bytes.count
      bytes = more
    } else {
      base += start
      bytes.removeFirst(start)
      bytes += more
    }
    start = 0
  }

  /// Calls `body` with the unread bytes, which the library does not change although its interface
  /// takes mutable ones.
  mutating func withUnread(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    let start = start
    bytes.withUnsafeMutableBufferPointer {
      body(UnsafeMutableBufferPointer(rebasing: $0[start...]))
    }
  }

  mutating func consume(_ count: Int) { start += min(count, self.count) }

  /// Consumes a little-endian number; nil if it is incomplete.
  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    guard count >= MemoryLayout<Number>.size else { return nil }
    let number = unread.prefix(MemoryLayout<Number>.size).reversed().reduce(Number(0)) {
      $0 << 8 | Number($1)
    }
    consume(MemoryLayout<Number>.size)
    return number
  }
}
