internal import CScan

/// Tells in which line of a text a byte stands, for ascending offsets without starting over.
struct LineCounter {
  private let store: any ByteStore
  private let terminator: UInt8
  private var offset = 0
  private var line = 1

  init(_ store: any ByteStore, terminator: UInt8) {
    self.store = store
    self.terminator = terminator
  }

  /// - Returns: the line, from 1.
  /// - Complexity: O(bytes since the last offset).
  mutating func line(at target: Int) throws -> Int {
    if target < offset { (offset, line) = (0, 1) }
    while offset < target {
      let bytes = try store.bytes(offset..<min(offset + (1 << 20), target))
      guard !bytes.isEmpty else { break }
      line += bytes.withUnsafeBufferPointer {
        $0.baseAddress.map { ds_count_byte($0, bytes.count, terminator) } ?? 0
      }
      offset += bytes.count
    }
    return line
  }
}
