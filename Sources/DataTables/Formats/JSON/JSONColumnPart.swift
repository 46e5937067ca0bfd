/// The values of one key in one chunk of the rows, while they are decoded.
///
/// Values are encoded with a dictionary until most prove distinct; then strings are stored as texts
/// and numbers as keys.
///
/// Unchecked Sendable: one worker writes it, and others read it only after that worker is done.
struct JSONColumnPart: @unchecked Sendable {
  enum Content {
    /// Codes of the dictionary plus one; 0 is null.
    case coded(ByteDictionary, [UInt32])
    case texts(TextWriter)
    case keyed(NumericColumn.Kind, [UInt64])
    /// A value does not fit the form of the previous ones.
    case failed
  }
  private(set) var content: Content
  /// The dictionary size at which its use is reconsidered.
  private var nextCheck: Int

  /// Up to this number of distinct values, the dictionary is always kept.
  static let maxCoded = 1 << 12

  /// - Parameter keepsDictionary: whether the dictionary is kept for any number of values.
  init(rows: Int, keepsDictionary: Bool) {
    var codes: [UInt32] = []
    codes.reserveCapacity(rows)
    content = .coded(ByteDictionary(), codes)
    nextCheck = keepsDictionary ? .max : Self.maxCoded
  }

  /// - Parameter value: nil if the key is missing; else 16 bytes from its start must be readable.
  mutating func append(_ value: UnsafeRawBufferPointer?) {
    let value = value.flatMap { $0.first == UInt8(ascii: "n") ? nil : $0 }
    switch content {
    case .coded(let dictionary, var codes):
      // The codes are removed from `content` while they grow, so that they are not copied.
      content = .failed
      var code: UInt32 = 0
      if let value, let start = value.baseAddress {
        code = dictionary.code(at: start, length: value.count) + 1
      }
      codes.append(code)
      content = .coded(dictionary, codes)
      if dictionary.count > nextCheck { check(dictionary, codes) }
    case .texts(let writer):
      if !Self.append(value, to: writer) { content = .failed }
    case .keyed(let kind, var keys):
      content = .failed
      if let key = Self.key(of: value, kind) {
        keys.append(key)
        content = .keyed(kind, keys)
      } else if kind == .integer, let value, let key = NumericColumn.Kind.real.key(of: value),
        var reals = Self.reals(keys)
      {
        reals.append(key)
        content = .keyed(.real, reals)
      }
    case .failed: break
    }
  }

  private mutating func check(_ dictionary: ByteDictionary, _ codes: [UInt32]) {
    nextCheck = dictionary.count * 2
    guard dictionary.count * 2 > codes.count else { return }
    if let writer = Self.texts(dictionary, codes) {
      content = .texts(writer)
    } else if let (kind, keys) = Self.keys(dictionary, codes) {
      content = .keyed(kind, keys)
    }
  }

  /// The rows as texts; nil if a value is not a string.
  static func texts(_ dictionary: ByteDictionary, _ codes: [UInt32]) -> TextWriter? {
    let areStrings = (0..<dictionary.count).allSatisfy { code in
      dictionary.withBytes(of: code) { $0.first == UInt8(ascii: "\"") }
    }
    guard areStrings else { return nil }
    let writer = TextWriter()
    for code in codes {
      if code == 0 {
        writer.appendNull()
      } else {
        _ = dictionary.withBytes(of: Int(code) - 1) { append($0, to: writer) }
      }
    }
    return writer
  }

  /// The rows as keys; nil if a value is not a number or has no unique key.
  static func keys(
    _ dictionary: ByteDictionary, _ codes: [UInt32]
  ) -> (NumericColumn.Kind, [UInt64])? {
    for kind in [NumericColumn.Kind.integer, .real] {
      var keys = [NumericColumn.null]
      keys.reserveCapacity(dictionary.count + 1)
      for code in 0..<dictionary.count {
        guard let key = dictionary.withBytes(of: code, kind.key) else { break }
        keys.append(key)
      }
      if keys.count == dictionary.count + 1 { return (kind, codes.map { keys[Int($0)] }) }
    }
    return nil
  }

  /// The keys of the same numbers as reals; nil if an integer has no unique key as a real.
  static func reals(_ keys: [UInt64]) -> [UInt64]? {
    var reals: [UInt64] = []
    reals.reserveCapacity(keys.capacity)
    for key in keys {
      if key == NumericColumn.null {
        reals.append(key)
      } else {
        let integer = NumericColumn.integer(key)
        // Integers of up to 15 digits have distinct doubles.
        guard integer.magnitude < 1_000_000_000_000_000 else { return nil }
        reals.append(NumericColumn.key(Double(integer)))
      }
    }
    return reals
  }

  private static func key(of value: UnsafeRawBufferPointer?, _ kind: NumericColumn.Kind) -> UInt64?
  {
    guard let value else { return NumericColumn.null }
    return kind.key(of: value)
  }

  /// Appends a string; false if the value is not a string or is too long for a block of texts.
  private static func append(_ value: UnsafeRawBufferPointer?, to writer: TextWriter) -> Bool {
    guard let value else {
      writer.appendNull()
      return true
    }
    guard value.first == UInt8(ascii: "\""), value.count < 1 << 30 else { return false }
    let inner = UnsafeRawBufferPointer(rebasing: value.dropFirst().dropLast())
    if inner.contains(UInt8(ascii: "\\")) {
      writer.append(JSONBuilder.string(value))
    } else {
      writer.append(inner)
    }
    return true
  }
}
