/// Distinct byte strings, numbered in the order in which they first come.
///
/// Not thread-safe; one belongs to one column while it is decoded.
final class ByteDictionary {
  /// The number of distinct strings.
  private(set) var count = 0
  private var heap: [UInt8] = []
  private var offsets: [Int] = [0]
  private var codes: [[UInt8]: UInt32] = [:]

  /// The number of `bytes`, which is new when they were not met before.
  func code(for bytes: UnsafeRawBufferPointer) -> UInt32 {
    let key = Array(bytes)
    if let code = codes[key] { return code }
    codes[key] = UInt32(count)
    heap.append(contentsOf: bytes)
    offsets.append(heap.count)
    count += 1
    return UInt32(count - 1)
  }

  /// The bytes of a code.
  func withBytes<Result>(of code: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    heap.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[offsets[code]..<offsets[code + 1]]))
    }
  }
}
