/// A file in a zip archive, as the directory of the archive describes it.
package struct ZipMember: Sendable {
  package let name: String
  let flags: UInt16
  let method: UInt16
  let checksum: UInt32
  package let compressedSize: Int
  /// The size of the content in bytes.
  package let size: Int
  /// Byte offset of the local header, relative to the start of the archive.
  let offset: Int
  /// The number of bytes of the entry in the directory.
  let entryLength: Int

  static let entrySignature: UInt32 = 0x0201_4B50
  static let headerSignature: UInt32 = 0x0403_4B50
  /// The fixed part of the header before the content.
  static let headerLength = 30
  private static let fixedEntryLength = 46

  enum Flag {
    static let encrypted: UInt16 = 1
    static let descriptor: UInt16 = 8
    static let utf8: UInt16 = 0x800
  }

  enum Method {
    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
    static let zstd: UInt16 = 93
    static let encrypted: UInt16 = 99
  }

  /// Reads the entry at a position of the directory; nil if there is none, or if it is truncated.
  init?(_ fields: ZipFields, at place: Int) {
    guard fields.number(UInt32.self, at: place) == Self.entrySignature else { return nil }
    let nameLength = Int(fields.number(UInt16.self, at: place + 28))
    let extraLength = Int(fields.number(UInt16.self, at: place + 30))
    let commentLength = Int(fields.number(UInt16.self, at: place + 32))
    entryLength = Self.fixedEntryLength + nameLength + extraLength + commentLength
    guard entryLength <= fields.count - place else { return nil }
    flags = fields.number(UInt16.self, at: place + 8)
    method = fields.number(UInt16.self, at: place + 10)
    checksum = fields.number(UInt32.self, at: place + 16)
    let compressed = fields.number(UInt32.self, at: place + 20)
    let size = fields.number(UInt32.self, at: place + 24)
    let offset = fields.number(UInt32.self, at: place + 42)
    let nameStart = place + Self.fixedEntryLength
    let extra = ZipFields(Array(fields.slice(nameStart + nameLength, extraLength)))
    // The extra field holds the numbers that do not fit, in this order.
    var large = LargeNumbers(extra)
    self.size = large.next(size)
    compressedSize = large.next(compressed)
    self.offset = large.next(offset)
    name = ZipName.decoded(
      fields.slice(nameStart, nameLength), isUTF8: flags & Flag.utf8 != 0)
  }

  package var isFolder: Bool { name.hasSuffix("/") }

  /// The reason why the content cannot be read; nil if it can.
  var obstacle: String? {
    if flags & Flag.encrypted != 0 || method == Method.encrypted {
      return "it is encrypted; decrypt it with `7z x`"
    }
    if [Method.stored, Method.deflated, Method.zstd].contains(method) { return nil }
    let name =
      switch method {
      case 1...6: "an old method of PKZIP (\(method))"
      case 9: "Deflate64"
      case 12: "bzip2"
      case 14: "LZMA"
      case 95: "xz"
      case 98: "PPMd"
      default: "method \(method)"
      }
    return "it is compressed with \(name); extract it with `7z x`"
  }
}

/// The numbers of the zip64 extra field.
private struct LargeNumbers {
  private static let tag: UInt16 = 1

  private let fields: ZipFields
  private var place = 0
  private var end = 0

  init(_ extra: ZipFields) {
    fields = extra
    var start = 0
    while start + 4 <= extra.count {
      let length = Int(extra.number(UInt16.self, at: start + 2))
      if extra.number(UInt16.self, at: start) == Self.tag {
        place = start + 4
        end = min(extra.count, start + 4 + length)
        return
      }
      start += 4 + length
    }
  }

  /// The value of a field: the number itself, or the next large one if it is the marker.
  mutating func next(_ number: UInt32) -> Int {
    guard number == .max, place + 8 <= end else { return Int(number) }
    defer { place += 8 }
    return Int(clamping: fields.number(UInt64.self, at: place))
  }
}

/// The names in zip archives: UTF-8, or code page 437.
enum ZipName {
  /// - Parameter isUTF8: the flag of the entry. Programs exist that write UTF-8 without it.
  static func decoded(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String {
    if let name = String(validating: bytes, as: UTF8.self) { return name }
    if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
    var name = ""
    for byte in bytes {
      name.unicodeScalars.append(
        byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80])
    }
    return name
  }

  /// The characters of bytes 80...FF in code page 437.
  private static let upperHalf = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
      + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)
}
