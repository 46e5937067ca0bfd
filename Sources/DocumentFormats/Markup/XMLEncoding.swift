import DataTables

/// The encoding of an XML document, from its first bytes (appendix F of the recommendation).
struct XMLEncoding {
  /// The name that iconv knows; nil for UTF-8.
  let name: String?
  /// The name for the load report.
  let description: String

  /// - Parameters:
  ///   - sample: the first bytes of the document.
  ///   - named: the value of `encoding:`, which overrides the document.
  init(_ sample: ArraySlice<UInt8>, named: String?) {
    let mark = Self.marks.first { sample.starts(with: $0.bytes) }
    let found = named ?? mark?.name ?? Self.unmarked(sample) ?? Self.declared(sample)
    let isUTF8 = found.map { ["utf-8", "utf8", "us-ascii"].contains($0.lowercased()) } ?? true
    name = isUTF8 ? nil : found.map(Self.iconvName)
    let shown = isUTF8 ? "UTF-8" : found ?? "UTF-8"
    description = mark == nil ? shown : "\(shown) with BOM"
  }

  /// `latin1` is ISO-8859-1 in XML; other labels are resolved as in HTML.
  private static func iconvName(_ label: String) -> String {
    let latin1 = "ISO-8859-1"
    return TextEncoding(named: label)?.name == latin1 ? latin1 : EncodingName.iconv(label)
  }

  private static let marks: [(bytes: [UInt8], name: String)] = [
    ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0xFF, 0xFE], "UTF-16LE"),
    ([0xFE, 0xFF], "UTF-16BE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
  ]

  /// The encoding of a document without a mark that starts with `<` in two or four bytes.
  private static func unmarked(_ sample: ArraySlice<UInt8>) -> String? {
    let open = UInt8(ascii: "<")
    if sample.starts(with: [open, 0, 0, 0]) { return "UTF-32LE" }
    if sample.starts(with: [0, 0, 0, open]) { return "UTF-32BE" }
    if sample.starts(with: [open, 0]) { return "UTF-16LE" }
    if sample.starts(with: [0, open]) { return "UTF-16BE" }
    return nil
  }

  /// The encoding in the declaration: `<?xml version="1.0" encoding="ISO-8859-1"?>`.
  private static func declared(_ sample: ArraySlice<UInt8>) -> String? {
    guard sample.starts(with: "<?xml".utf8) else { return nil }
    let end = sample.prefix(512).firstIndex(of: UInt8(ascii: ">")) ?? sample.startIndex
    let declaration = String(decoding: sample[..<end], as: UTF8.self)
    guard let label = declaration.firstRange(of: "encoding") else { return nil }
    let value = declaration[label.upperBound...].drop { $0 != "\"" && $0 != "'" }
    guard let quote = value.first else { return nil }
    let name = value.dropFirst().prefix { $0 != quote }
    // A declaration in a single-byte text cannot be right about two bytes per character.
    return name.isEmpty || name.lowercased().hasPrefix("utf-16") ? nil : String(name)
  }
}
