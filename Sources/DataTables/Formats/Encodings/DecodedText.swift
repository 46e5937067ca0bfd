internal import CScan
internal import Glibc

/// The bytes of a file decoded for a format: UTF-8 without a byte order mark.
struct DecodedText {
  let store: any ByteStore
  /// The encoding as the load report shows it: `UTF-8 with BOM`.
  let description: String
  /// The length in bytes of the byte order mark, which is skipped; 0 without a mark.
  private let skipped: Int
  private let encoding: TextEncoding
  /// The bytes of the file.
  private let source: any ByteStore

  private static let sampleSize = 8 << 10

  /// - Parameter encoding: a name that `encoding:` accepts; nil to use the encoding of the byte
  ///   order mark, or UTF-8 if the text has no mark.
  /// - Throws: ``TableError/badArgument(_:)`` for an unknown name,
  ///   ``TableError/encoding(expected:offset:fitting:)`` for bytes not in the encoding.
  init(_ bytes: any ByteStore, encoding name: String?) throws {
    let first = try bytes.bytes(0..<min(4, bytes.count))
    let marked = TextEncoding.marked.first { first.starts(with: $0.byteOrderMark) }
    let encoding: TextEncoding
    if let name {
      guard let named = TextEncoding(named: name) else {
        let names = TextEncoding.names.joined(separator: ", ")
        throw TableError.badArgument("unknown encoding `\(name)`; expected \(names)")
      }
      encoding = named
    } else {
      encoding = marked ?? .utf8
    }
    let mark = first.starts(with: encoding.byteOrderMark) ? encoding.byteOrderMark.count : 0
    self.encoding = encoding
    source = bytes
    description = encoding.name + (mark > 0 ? " with BOM" : "")
    skipped = mark
    if encoding == .utf8 {
      store = mark == 0 ? bytes : ByteSuffix(bytes, offset: mark)
    } else {
      store = MemoryBytes(try Self.convert(bytes, from: encoding, skipping: mark))
    }
  }

  /// As ``init(_:encoding:)``; the error for bytes that are not in the encoding has one that fits if
  /// there is one.
  static func suggesting(_ bytes: any ByteStore, encoding name: String?) throws -> DecodedText {
    do {
      return try DecodedText(bytes, encoding: name)
    } catch TableError.encoding(let expected, let offset, nil) {
      throw TableError.encoding(
        expected: expected, offset: offset,
        fitting: try EncodingGuess.name(for: bytes, around: offset))
    }
  }

  /// The position of the first zero byte in the first bytes if zero bytes show that the file is not
  /// text, else nil.
  func firstNUL() throws -> Int? {
    Self.firstNUL(in: try store.bytes(0..<min(Self.sampleSize, store.count)))
  }

  private static func firstNUL(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, 0, bytes.count) else {
        return nil
      }
      return isText(bytes) ? nil : UnsafeRawPointer(found) - start
    }
  }

  /// Whether bytes are text although some are zero: few are, no more than line ends, and the others
  /// are UTF-8 without characters that are rare in text.
  private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let zeros = bytes.count { $0 == 0 }
    let controls = bytes.count { $0 < 0x20 && !(0x09...0x0D).contains($0) || $0 == 0x7F }
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D }
    guard zeros * 10 <= bytes.count, zeros <= lines, controls == zeros else { return false }
    let text = bytes.bindMemory(to: UInt8.self)
    // The last character may be truncated.
    return ds_utf8_valid_prefix(text.baseAddress, text.count) > text.count - 4
  }

  /// The first bytes of a file as UTF-8 without a byte order mark; nil if they are not text.
  ///
  /// - Parameters:
  ///   - raw: bytes that may end within a character.
  ///   - encoding: as in ``init(_:encoding:)``.
  /// - Throws: ``TableError/badArgument(_:)`` for an unknown name.
  static func sample(_ raw: [UInt8], encoding: String?) throws -> [UInt8]? {
    // Characters have 1, 2 or 4 bytes in the encodings that are converted.
    for missing in 0..<min(4, raw.count + 1) {
      do {
        let store = try DecodedText(
          MemoryBytes(Array(raw.dropLast(missing))), encoding: encoding
        ).store
        let text = try store.bytes(0..<store.count)
        return firstNUL(in: text) == nil ? text : nil
      } catch TableError.encoding { continue }
    }
    return nil
  }

  /// The offset in the file of a position in the text.
  /// - Complexity: O(bytes of the file) for text that was converted.
  func offset(of position: Int) throws -> Int {
    if encoding == .utf8 { return position + skipped }
    let bytes = try source.bytes(min(skipped, source.count)..<source.count)
    return skipped + encoding.offset(ofPosition: position, in: bytes[...])
  }

  /// Converts the whole text, because rows are found by byte offset in UTF-8.
  private static func convert(
    _ bytes: any ByteStore, from encoding: TextEncoding, skipping mark: Int
  ) throws -> [UInt8] {
    let all = try bytes.bytes(0..<bytes.count)
    switch encoding.utf8(of: all[min(mark, all.count)...]) {
    case .success(let text): return text
    case .failure(let fault):
      throw TableError.encoding(expected: encoding.name, offset: fault.offset, fitting: nil)
    }
  }
}

/// The bytes of a store from an offset on.
private struct ByteSuffix: ByteStore {
  let store: any ByteStore
  let offset: Int

  init(_ store: any ByteStore, offset: Int) {
    self.store = store
    self.offset = offset
  }

  var count: Int { store.count - offset }

  func checkUnchanged() throws { try store.checkUnchanged() }

  func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try store.read(at: offset + position, into: buffer)
  }
}

extension ByteStore {
  /// A copy of some bytes, clipped to the end of the store.
  package func bytes(_ range: Range<Int>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = try read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
