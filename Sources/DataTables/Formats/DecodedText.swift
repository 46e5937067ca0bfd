internal import Glibc

/// Bytes made ready for a format: UTF-8 without a byte order mark.
struct DecodedText {
  let store: any ByteStore
  /// The first bytes.
  let sample: [UInt8]
  /// As it is shown: `UTF-8 with BOM`.
  let description: String
  /// The bytes left out at the front; 0 for texts that were in another encoding.
  private let skipped: Int

  private static let sampleSize = 8 << 10

  /// - Parameter encoding: as `encoding:` names it; nil takes what a byte order mark tells, else
  ///   UTF-8.
  /// - Throws: ``TableError/badArgument(_:)`` for an unknown name,
  ///   ``TableError/encoding(expected:offset:fitting:)`` for bytes that are not of it.
  init(_ bytes: any ByteStore, encoding name: String?) throws {
    let first = try bytes.bytes(0..<min(4, bytes.count))
    let marked = TextEncoding.allCases.first {
      !$0.byteOrderMark.isEmpty && first.starts(with: $0.byteOrderMark)
    }
    let encoding: TextEncoding
    if let name {
      guard let named = TextEncoding(named: name) else {
        let names = TextEncoding.names.joined(separator: ", ")
        throw TableError.badArgument("no encoding is called `\(name)`; there are \(names)")
      }
      encoding = named
    } else {
      encoding = marked ?? .utf8
    }
    let mark = first.starts(with: encoding.byteOrderMark) ? encoding.byteOrderMark.count : 0
    description = encoding.rawValue + (mark > 0 ? " with BOM" : "")
    skipped = mark
    if encoding == .utf8 {
      store = mark == 0 ? bytes : BytesBehind(bytes, offset: mark)
    } else {
      store = MemoryBytes(try Self.convert(bytes, from: encoding, skipping: mark))
    }
    sample = try store.bytes(0..<min(Self.sampleSize, store.count))
  }

  /// The place of the first zero byte in the sample; text has none.
  var firstNUL: Int? {
    sample.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, 0, bytes.count) else {
        return nil
      }
      return UnsafeRawPointer(found) - start
    }
  }

  /// The place in the file of a place in the text.
  func offset(of place: Int) -> Int { place + skipped }

  /// A text in another encoding is read whole: its rows could not be found by byte otherwise.
  private static func convert(
    _ bytes: any ByteStore, from encoding: TextEncoding, skipping mark: Int
  ) throws -> [UInt8] {
    let all = try bytes.bytes(0..<bytes.count)
    switch encoding.utf8(of: all[min(mark, all.count)...]) {
    case .success(let text): return text
    case .failure(let fault):
      throw TableError.encoding(expected: encoding.rawValue, offset: fault.offset, fitting: nil)
    }
  }
}

/// The bytes of a store behind its first ones.
private struct BytesBehind: ByteStore {
  let store: any ByteStore
  let offset: Int

  init(_ store: any ByteStore, offset: Int) {
    self.store = store
    self.offset = offset
  }

  var count: Int { store.count - offset }

  func checkUnchanged() throws { try store.checkUnchanged() }

  func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try store.read(at: offset + place, into: buffer)
  }
}
