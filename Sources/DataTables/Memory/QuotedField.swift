extension UnsafeRawBufferPointer {
  /// The bytes with doubled quotes made single.
  func withUnescapedQuotes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 16)
    var isSecond = false
    for byte in self {
      if byte == UInt8(ascii: "\"") {
        isSecond.toggle()
        if !isSecond { continue }
      } else {
        isSecond = false
      }
      bytes.append(byte)
    }
    return try bytes.withUnsafeBytes(body)
  }
}
