internal import CInflate

/// Decompresses deflate data (RFC 1951).
final class Inflater {
  private let memory: UnsafeMutableRawPointer
  private let state: OpaquePointer
  /// Earlier output that repetitions may refer to, then new output.
  private let buffer: UnsafeMutablePointer<UInt8>
  private var filled = 0
  private(set) var isAtEnd = false
  private var failure: CorruptData?

  private static let bufferSize = Int(CINFLATE_WINDOW) + (256 << 10)

  init() {
    memory = .allocate(byteCount: cinflate_size(), alignment: 16)
    state = OpaquePointer(memory)
    buffer = .allocate(capacity: Self.bufferSize)
    cinflate_reset(state)
  }

  deinit {
    memory.deallocate()
    buffer.deallocate()
  }

  /// Prepares for another stream.
  func reset() {
    cinflate_reset(state)
    filled = 0
    isAtEnd = false
    failure = nil
  }

  /// The next decompressed bytes, at most 256 KiB; nil at the end, or if more input is needed.
  ///
  /// The bytes before an error are returned first.
  func next(from input: inout PendingInput) throws(CorruptData) -> [UInt8]? {
    if let failure { throw failure }
    while !isAtEnd {
      if Self.bufferSize - filled < CINFLATE_OUTPUT_MARGIN { keepWindow() }
      let start = filled
      let result = run(&input)
      if result == CINFLATE_END { isAtEnd = true }
      if result < 0 {
        let failure = CorruptData(Self.reason(for: result))
        self.failure = failure
        if filled == start { throw failure }
      }
      if filled > start {
        return [UInt8](UnsafeBufferPointer(start: buffer + start, count: filled - start))
      }
      if result == CINFLATE_NEEDS_INPUT { return nil }
    }
    return nil
  }

  private func run(_ input: inout PendingInput) -> Int {
    var consumed = 0
    let result = input.bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return CINFLATE_NEEDS_INPUT }
      let start: UnsafePointer<UInt8> = base + input.start
      var next: UnsafePointer<UInt8>? = start
      var output: UnsafeMutablePointer<UInt8>? = buffer + filled
      let result = cinflate_run(
        state, &next, base + bytes.count, buffer, &output, buffer + Self.bufferSize)
      consumed = next.map { $0 - start } ?? 0
      filled = output.map { $0 - buffer } ?? filled
      return Int(result)
    }
    input.consume(consumed)
    return result
  }

  private func keepWindow() {
    let window = Int(CINFLATE_WINDOW)
    buffer.update(from: buffer + (filled - window), count: window)
    filled = window
  }

  private static func reason(for result: Int) -> String {
    switch result {
    case CINFLATE_BAD_BLOCK_TYPE: "unknown block type"
    case CINFLATE_BAD_STORED_LENGTH: "a stored block has an invalid length"
    case CINFLATE_BAD_CODE_LENGTHS: "a block has an invalid code"
    case CINFLATE_BAD_DISTANCE: "a repetition refers to bytes before the start"
    default: "invalid symbol"
    }
  }
}
