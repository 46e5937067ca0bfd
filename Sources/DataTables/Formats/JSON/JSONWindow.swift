/// Reads the bytes of a JSON text once, front to back, through a reused window.
struct JSONWindow: ~Copyable {
  let store: any ByteStore
  private let cancellation: Cancellation
  private let capacity: Int
  private let bytes: UnsafeMutablePointer<UInt8>
  /// The offset in the text of the first byte of the window.
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

  /// The next byte, without consuming it; nil at the end.
  mutating func next() throws -> UInt8? {
    if position < filled { return bytes[position] }
    return try fill() ? bytes[position] : nil
  }

  mutating func skip() { position += 1 }

  /// Moves forward to an offset.
  mutating func move(to offset: Int) {
    position = min(offset - base, filled)
    if position == filled { base = offset - filled }
  }

  /// Skips white space and returns the next byte without consuming it; nil at the end.
  mutating func nextToken() throws -> UInt8? {
    while let byte = try next() {
      guard JSONScanner.isSpace(byte, true) else { return byte }
      position += 1
    }
    return nil
  }

  /// Moves to the next byte of a string that is a quote, a backslash, a control character or not
  /// ASCII; appends the skipped bytes to `text`.
  mutating func skipPlain(appendingTo text: inout [UInt8]?) {
    // The search ends with the window at the latest, because zeros follow it.
    let end = JSONScanner.plainEnd(bytes, position)
    text?.append(contentsOf: UnsafeBufferPointer(start: bytes + position, count: end - position))
    position = end
  }

  /// Moves to the next quote or bracket; false at the end.
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

  /// Reads the next part of the text into the window; false at the end.
  private mutating func fill() throws -> Bool {
    try cancellation.check()
    base += filled
    position = 0
    let missing = min(capacity, store.count - base)
    filled = try store.read(
      at: base, into: UnsafeMutableRawBufferPointer(start: bytes, count: missing))
    guard filled == missing else {
      throw TableError.changed("the text was truncated while it was read")
    }
    (bytes + filled).initialize(repeating: 0, count: JSONScanner.padding)
    return filled > 0
  }
}
