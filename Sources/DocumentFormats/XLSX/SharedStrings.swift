internal import CXML
import DataTables

/// The strings that the cells of a workbook share (ISO/IEC 29500-1, 18.4).
enum SharedStrings {
  static func read(_ part: String, of package: WorkbookPackage) throws -> [String] {
    var strings: [String] = []
    var tags = SheetTags()
    var path: [SheetTag] = []
    var text: [UInt8] = []
    var phoneticDepth = 0
    try package.parse(part) { events, parser in
      for event in events.events {
        switch event.eventKind {
        case .start:
          let tag = tags.element(event, parser)
          path.append(tag)
          if tag == .item { text.removeAll(keepingCapacity: true) }
          if tag == .phonetic { phoneticDepth += 1 }
        case .text:
          if path.last == .text, phoneticDepth == 0 {
            text.append(contentsOf: events.text(of: event))
          }
        case .attribute: break
        case .end:
          switch path.popLast() {
          case .item: strings.append(ExcelText.decoded(text))
          case .phonetic: phoneticDepth -= 1
          default: break
          }
        }
      }
    }
    return strings
  }
}

/// The text of strings in workbooks.
enum ExcelText {
  /// Resolves `_x000D_`, which stands for a character that XML cannot contain (ISO/IEC 29500-1,
  /// 22.9.2.19); `_x005F_` is an underscore before such a sequence.
  static func decoded(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "_")), text.contains("_x") else { return text }
    var units: [UInt16] = []
    let source = Array(text.utf16)
    var index = 0
    while index < source.count {
      if let unit = escape(source[index...]) {
        units.append(unit)
        index += 7
      } else {
        units.append(source[index])
        index += 1
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func escape(_ units: ArraySlice<UInt16>) -> UInt16? {
    let underscore = UInt16(UInt8(ascii: "_"))
    let part = Array(units.prefix(7))
    guard part.count == 7, part[0] == underscore, part[1] == UInt16(UInt8(ascii: "x")),
      part[6] == underscore
    else { return nil }
    let digits = String(decoding: part[2..<6], as: UTF16.self)
    return digits.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 }) ? UInt16(digits, radix: 16) : nil
  }
}
