internal import CScan

/// A part of a text in memory, which moves forward and is followed by readable bytes.
///
/// Not thread-safe; each scanner has its own.
final class TextWindow {
  private let store: any ByteStore
  private let kernels = ds_kernels_best().pointee
  private var memory: UnsafeMutableRawBufferPointer
  /// The offset in the store of the first byte.
  private(set) var offset = 0
  /// The number of bytes, including the LF that is added if the text does not end with one.
  private(set) var length = 0
  /// Whether the window reaches the end of the text.
  private(set) var isLast = false
  /// Bytes before this offset in the store are known to be UTF-8; nil if the encoding is not
  /// checked.
  private var checkedEnd: Int?

  private static let padding = Int(DS_PADDING)

  /// - Parameters:
  ///   - size: in bytes; the window grows for a longer row.
  ///   - checksEncoding: whether bytes that are not UTF-8 are an error.
  init(_ store: any ByteStore, size: Int, checksEncoding: Bool) {
    self.store = store
    // A small file among thousands must not cost a whole window.
    let size = min(size, max(4_096, store.count))
    memory = .allocate(byteCount: size + 1 + Self.padding, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    checkedEnd = checksEncoding ? 0 : nil
    writeTrue()
  }

  deinit { memory.deallocate() }

  /// Empties the window; the next bytes are those from an offset on.
  func start(at offset: Int) {
    self.offset = offset
    (length, isLast) = (0, false)
    if checkedEnd != nil { checkedEnd = offset }
  }

  var bytes: UnsafePointer<UInt8> {
    UnsafePointer(memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self))
  }

  /// The bytes of a range of the window.
  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[range])
  }

  /// Drops the bytes before a position and reads at most `room` more bytes, at least one unless the
  /// text ends.
  /// - Parameter room: receives the number of bytes that are kept.
  /// - Throws: ``TableError/encoding(expected:offset:fitting:)``, and the errors of the store.
  func advance(to position: Int, room: (Int) -> Int) throws {
    let kept = length - position
    let base = memory.baseAddress.unsafelyUnwrapped
    if kept > 0 { base.copyMemory(from: base + position, byteCount: kept) }
    offset += position
    length = kept
    if kept > capacity / 2 { grow() }
    try read(min(capacity - kept, room(kept)))
  }

  /// Bytes that fit the window, without an added LF and the padding.
  private var capacity: Int { memory.count - 1 - Self.padding }

  private func read(_ room: Int) throws {
    let target = UnsafeMutableRawBufferPointer(rebasing: memory[length..<length + room])
    let count = try store.read(at: offset + length, into: target)
    length += count
    try checkEncoding(isAtEnd: count < room)
    if count < room || offset + length >= store.count {
      isLast = true
      if length > 0, bytes[length - 1] != UInt8(ascii: "\n") {
        memory[length] = UInt8(ascii: "\n")
        length += 1
      }
    }
  }

  private func checkEncoding(isAtEnd: Bool) throws {
    guard let checkedEnd else { return }
    let start = checkedEnd - offset
    let length = length - start
    let valid = kernels.utf8_valid_prefix(bytes + start, length)
    // A character truncated by the end of the window is checked again with the bytes that follow.
    guard valid == length || (length - valid < 4 && !isAtEnd) else {
      throw TableError.encoding(
        expected: "UTF-8", offset: checkedEnd + valid,
        fitting: nil)
    }
    self.checkedEnd = checkedEnd + valid
  }

  private func grow() {
    let size = capacity * 2
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size + 1 + Self.padding, alignment: 64)
    larger.initializeMemory(as: UInt8.self, repeating: 0)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[0..<length]))
    memory.deallocate()
    memory = larger
    writeTrue()
  }

  /// The index, after all text, of a word that fields can be.
  var trueIndex: Int { memory.count - 16 }

  private func writeTrue() {
    let word = Line.trueWord
    (memory.baseAddress.unsafelyUnwrapped + trueIndex).copyMemory(
      from: word.utf8Start, byteCount: word.utf8CodeUnitCount)
  }
}
