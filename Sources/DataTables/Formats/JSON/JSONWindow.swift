/// The bytes of a JSON text through a window that is used again and again, read forwards once.
struct JSONWindow: ~Copyable {
  let store: any ByteStore
  private let cancellation: Cancellation
  private let capacity: Int
  private let bytes: UnsafeMutablePointer<UInt8>
  /// The offset in the text of the window's first byte.
  private var base = 0
  private var filled = 0
  private var position = 0

  init(_ store: any ByteStore, window: Int, cancellation: Cancellation) {
    self.store = store
    self.cancellation = cancellation
    capacity = max(1, min(window, store.count))
    bytes = .allocate(capacity: capacity + JSONScanner.padding)
    bytes.initialize(repeating: 0, count: JSONScanner.padding)
  }

  deinit { bytes.deallocate() }

  /// The offset in the text of the next byte.
  var offset: Int { base + position }

  /// The next byte, which stays the next one; nil at the end.
  mutating func next() throws -> UInt8? {
    if position < filled { return bytes[position] }
    return try fill() ? bytes[position] : nil
  }

  mutating func skip() { position += 1 }

  /// Goes on at a place behind this one.
  mutating func move(to offset: Int) {
    position = min(offset - base, filled)
    if position == filled { base = offset - filled }
  }

  /// The next byte that is not white space; nil at the end.
  mutating func nextToken() throws -> UInt8? {
    while let byte = try next() {
      guard JSONScanner.isSpace(byte, true) else { return byte }
      position += 1
    }
    return nil
  }

  /// Goes to the next byte of a string that is a quote, a backslash, a control character or not
  /// ASCII; what is passed is appended to `text`.
  mutating func skipPlain(appendingTo text: inout [UInt8]?) {
    // Never behind the window, as zeros stand there.
    let end = JSONScanner.plainEnd(bytes, position)
    text?.append(contentsOf: UnsafeBufferPointer(start: bytes + position, count: end - position))
    position = end
  }

  /// Goes to the next quote or bracket; false when there is none.
  mutating func skipToBracketOrQuote() throws -> Bool {
    while true {
      while position < filled {
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
          UInt8(ascii: "]"):
          return true
        default: position += 1
        }
      }
      if try !fill() { return false }
    }
  }

  /// Reads on; false at the end.
  private mutating func fill() throws -> Bool {
    try cancellation.check()
    base += filled
    position = 0
    let wanted = min(capacity, store.count - base)
    filled = try store.read(
      at: base, into: UnsafeMutableRawBufferPointer(start: bytes, count: wanted))
    guard filled == wanted else { throw TableError.changed("was cut off while it was read") }
    (bytes + filled).initialize(repeating: 0, count: JSONScanner.padding)
    return filled > 0
  }
}
