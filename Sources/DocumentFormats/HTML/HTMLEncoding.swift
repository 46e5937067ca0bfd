import DataTables

/// The encoding of an HTML document: the given one, that of the byte order mark, that of a `meta`
/// element; otherwise UTF-8 if the bytes are valid UTF-8, and windows-1252 if not.
struct HTMLEncoding {
  /// The name that iconv knows.
  let name: String
  /// The name for the load report.
  let description: String

  init(_ bytes: any ByteStore, named: String?) throws {
    let sample = try bytes.bytes(0..<min(Self.sampleSize, bytes.count))
    let mark = Self.marks.first { sample.starts(with: $0.bytes) }
    if let label = named ?? mark?.name ?? Self.declared(sample) {
      name = EncodingName.iconv(label)
      let shown = ["UTF-8", "UTF-16LE"].contains(name) ? name : label
      description = mark == nil ? shown : "\(shown) with BOM"
    } else {
      name = try Self.isUTF8(bytes) ? "UTF-8" : "windows-1252"
      description = name
    }
  }

  private static let sampleSize = 4 << 10
  private static let marks: [(bytes: [UInt8], name: String)] = [
    ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
  ]

  /// The charset of a `meta` element: `<meta charset="utf-8">`, or
  /// `<meta http-equiv="Content-Type" content="text/html; charset=utf-8">`.
  private static func declared(_ sample: [UInt8]) -> String? {
    let text = String(
      decoding: sample.map { $0 < 0x80 ? $0 | ($0 &- 0x41 < 26 ? 0x20 : 0) : 0x3F },
      as: UTF8.self)
    var rest = text[...]
    while let meta = rest.firstRange(of: "<meta") {
      rest = rest[meta.upperBound...]
      let tag = rest.prefix { $0 != ">" }
      guard let charset = tag.firstRange(of: "charset") else { continue }
      let value = tag[charset.upperBound...].drop {
        $0 == " " || $0 == "=" || $0 == "\"" || $0 == "'"
      }
      let label = value.prefix { $0.isLetter || $0.isNumber || "-_:.".contains($0) }
      // A declaration in single bytes cannot be right about two bytes per character.
      if !label.isEmpty { return label.hasPrefix("utf-16") ? "utf-8" : String(label) }
    }
    return nil
  }

  private static func isUTF8(_ bytes: any ByteStore) throws -> Bool {
    var offset = 0
    while offset < bytes.count {
      let part = try bytes.bytes(offset..<min(offset + (1 << 20), bytes.count))
      if part.isEmpty { return true }
      let isLast = offset + part.count >= bytes.count
      // A character may continue in the next part.
      let lead = isLast ? nil : part.suffix(3).lastIndex { $0 >= 0xC0 }
      let cut = lead.map { part.count - $0 } ?? 0
      guard String(validating: part.dropLast(cut), as: UTF8.self) != nil else { return false }
      offset += part.count - cut
    }
    return true
  }
}
