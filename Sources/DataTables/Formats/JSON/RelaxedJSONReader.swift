/// Builds the values of a relaxed JSON text, one after another.
///
/// Recursion is as deep as the values are nested, which `maxDepth` limits. The bytes must be UTF-8.
struct RelaxedJSONReader {
  /// An error with its offset in the bytes.
  struct Failure: Error {
    let expectation: String
    let offset: Int
    /// The limit that was exceeded.
    var limit: DepthLimit?
    var isCancelled = false
  }

  let bytes: [UInt8]
  let end: Int
  private let depthLimit: DepthLimit
  private let cancellation: Cancellation
  private var count = 0
  var index: Int
  /// The offset of the last value that ``next()`` returned.
  private(set) var start = 0
  private var shapes = RecordShapes()
  /// The number of records with a duplicate key, and the offset of the first one.
  private(set) var duplicates = 0
  private(set) var firstDuplicate = 0
  /// The number of escapes that are half of a surrogate pair, and the offset of the first one.
  var loneSurrogates = 0
  var firstLoneSurrogate = 0

  /// Deeper values would exhaust the stack.
  private static let maxDepth = 2_000

  init(
    _ bytes: [UInt8], _ range: Range<Int>, limits: ReadLimits,
    cancellation: Cancellation = Cancellation()
  ) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
    depthLimit = DepthLimit(limits, supported: Self.maxDepth)
    self.cancellation = cancellation
  }

  /// The next value; nil at the end.
  mutating func next() throws(Failure) -> Value? {
    let last = index > 0 ? bytes[index - 1] : 0
    let before = index
    try skipSpace()
    guard index < end else { return nil }
    if index == before, Self.isPartOfWord(last), Self.isPartOfWord(bytes[index]) {
      throw failure("expected the end of the document")
    }
    start = index
    return try value(depth: 0)
  }

  mutating func expectEnd() throws(Failure) {
    try skipSpace()
    if index < end { throw failure("expected the end of the line after the value") }
  }

  func failure(_ expectation: String) -> Failure {
    Failure(expectation: expectation, offset: index)
  }

  var byte: UInt8 { index < end ? bytes[index] : 0 }

  mutating func value(depth: Int) throws(Failure) -> Value {
    count &+= 1
    if count & 0xFFF == 0, cancellation.isCancelled {
      throw Failure(expectation: "expected a value", offset: index, isCancelled: true)
    }
    try skipSpace()
    guard index < end else { throw failure("expected a value") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try record(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      return try number()
    default: return try word()
    }
  }

  private mutating func open(_ depth: Int) throws(Failure) {
    guard depth < depthLimit.levels else {
      throw Failure(expectation: "expected a value", offset: index, limit: depthLimit)
    }
    index += 1
  }

  private mutating func array(depth: Int) throws(Failure) -> Value {
    try open(depth)
    var elements: [Value] = []
    while true {
      try skipSpace()
      if byte == UInt8(ascii: "]"), index < end { break }
      elements.append(try value(depth: depth + 1))
      try skipSpace()
      if byte == UInt8(ascii: ",") {
        index += 1
      } else if byte != UInt8(ascii: "]") {
        throw failure("expected `,` or `]`")
      }
    }
    index += 1
    return .array(elements)
  }

  private mutating func record(depth: Int) throws(Failure) -> Value {
    let start = index
    try open(depth)
    var keys: [String] = []
    var values: [Value] = []
    while true {
      try skipSpace()
      if byte == UInt8(ascii: "}"), index < end { break }
      keys.append(try key())
      try skipSpace()
      guard byte == UInt8(ascii: ":") else { throw failure("expected `:` after a key") }
      index += 1
      values.append(try value(depth: depth + 1))
      try skipSpace()
      if byte == UInt8(ascii: ",") {
        index += 1
      } else if byte != UInt8(ascii: "}") {
        throw failure("expected `,` or `}`")
      }
    }
    index += 1
    let (record, hasDuplicate) = shapes.record(repeating: keys, values)
    if hasDuplicate {
      if duplicates == 0 { firstDuplicate = start }
      duplicates += 1
    }
    return .record(record)
  }

  mutating func key() throws(Failure) -> String {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try string() }
    let start = index
    while index < end, Self.isPartOfWord(bytes[index]), bytes[index] != UInt8(ascii: "-"),
      bytes[index] != UInt8(ascii: "+"), bytes[index] != UInt8(ascii: ".")
    {
      index += 1
    }
    guard index > start, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start]) else {
      index = start
      throw failure("expected a key")
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func word() throws(Failure) -> Value {
    let start = index
    while index < end, Self.isPartOfWord(bytes[index]) { index += 1 }
    switch String(decoding: bytes[start..<index], as: UTF8.self) {
    // Python prints its constants with a capital.
    case "true", "True": return true
    case "false", "False": return false
    case "null": return .null
    default:
      index = start
      throw failure("expected a value")
    }
  }

  /// Whether a byte may be part of a key without quotes, a word or a number.
  static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }
}

extension RelaxedJSONReader.Failure {
  /// `expected a value, found …`
  func message(in bytes: [UInt8]) -> String {
    var iterator = bytes[min(offset, bytes.count)...].prefix(4).makeIterator()
    var decoder = UTF8()
    let found: Unicode.Scalar? =
      if case .scalarValue(let scalar) = decoder.decode(&iterator) { scalar } else { nil }
    return "\(expectation), found \(JSONFailure.phrase(for: found))"
  }

  func tableError(in bytes: [UInt8]) throws -> TableError {
    if isCancelled { return .cancelled }
    let position = try TextPosition(of: offset, in: MemoryBytes(bytes))
    return limit?.error(at: position) ?? .format(message(in: bytes), at: position)
  }
}
