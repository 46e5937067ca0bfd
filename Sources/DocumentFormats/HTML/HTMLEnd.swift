import DataTables

/// The end of an HTML document. The parser closes open elements without a report, so a truncated
/// table reads like a whole one.
struct HTMLEnd {
  private let text: [UInt8]

  private static let size = 64 << 10

  /// - Throws: the errors of the store.
  init(of bytes: any ByteStore) throws {
    text = try bytes.bytes(max(0, bytes.count - Self.size)..<bytes.count)
      .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Whether a row begins after the last end of a table, and neither the body nor the document ends.
  var isWithinTable: Bool {
    let start = ["<table", "<tr", "<td", "<th"].map(lastIndex(of:)).max() ?? -1
    return start > (["</table", "</body", "</html"].map(lastIndex(of:)).max() ?? -1)
  }

  /// The index of the last occurrence of a tag in lowercase; -1 without one.
  private func lastIndex(of tag: String) -> Int {
    let tag = Array(tag.utf8)
    guard text.count >= tag.count else { return -1 }
    return stride(from: text.count - tag.count, through: 0, by: -1).first {
      text[$0] == tag[0] && text[$0..<$0 + tag.count].elementsEqual(tag)
    } ?? -1
  }
}
