import DataTables

/// The start of a file of XML or HTML, from which its format is recognized.
struct MarkupStart {
  /// Whether the file may be markup, perhaps with a malformed start.
  let isPossible: Bool
  /// The name of the root element as written, or that of the document type before it; nil if the
  /// file does not start with markup.
  private(set) var root: String?
  /// Whether the file starts with `<?xml`.
  private(set) var isDeclared = false
  private(set) var hasDocumentType = false
  /// Whether more markup follows the first tag, so that the file is hardly a text that starts with
  /// `<`, such as `<TICKER>,<DATE>`.
  private(set) var isMarkup = false
  /// Whether the first bytes have rows of an HTML table.
  private(set) var hasTable = false

  private let sampleBytes: [UInt8]
  private var bytes: ArraySlice<UInt8>

  init(_ sample: FormatSample) { self.init(sample.bytes) }

  /// - Parameter sample: the first bytes of a file.
  init(_ sample: [UInt8]) {
    let size = min(sample.count, Self.size)
    isPossible = sample.firstIndex(of: UInt8(ascii: "<"), in: 0..<size) != nil
    guard isPossible else {
      sampleBytes = []
      bytes = []
      return
    }
    // Markup consists of ASCII characters, also in two or four bytes each.
    let plain = sample[..<size].filter { $0 != 0 }
    sampleBytes = plain
    bytes = plain[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      bytes = bytes.dropFirst(2)
    }
    skipProlog()
    readRoot()
    hasTable = contains("<table") && (contains("<tr") || contains("<td") || contains("<th"))
  }

  private static let size = 16 << 10

  /// Whether the document is HTML or XHTML.
  var isHTML: Bool {
    guard let root = root?.lowercased() else { return false }
    if root == "html" { return true }
    return hasTable && !isDeclared && Self.htmlElements.contains(root)
  }

  /// Elements that a fragment of HTML may start with.
  private static let htmlElements: Set<String> = [
    "head", "body", "meta", "title", "link", "style", "script", "table", "div", "p", "center",
    "font", "form", "h1", "h2", "h3", "h4", "b", "span", "section", "main", "article",
  ]

  private mutating func skipProlog() {
    while true {
      bytes = bytes.drop(while: \.isWhiteSpace)
      if bytes.starts(with: "<?xml".utf8) { isDeclared = true }
      if bytes.starts(with: "<?".utf8) {
        skip(past: "?>")
      } else if bytes.starts(with: "<!--".utf8) {
        skip(past: "-->")
      } else if starts(with: "<!doctype") {
        hasDocumentType = true
        bytes = bytes.dropFirst(9).drop(while: \.isWhiteSpace)
        root = name()
        skipDocumentType()
      } else {
        return
      }
    }
  }

  private mutating func skipDocumentType() {
    let end = bytes.firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") }
    guard let end else {
      bytes = []
      return
    }
    if bytes[end] == UInt8(ascii: "[") {
      skip(past: "]>")
    } else {
      bytes = bytes[(end + 1)...]
    }
  }

  private mutating func readRoot() {
    guard bytes.first == UInt8(ascii: "<") else { return }
    bytes = bytes.dropFirst()
    guard let name = name() else { return }
    root = name
    guard let end = bytes.firstIndex(of: UInt8(ascii: ">")) else {
      // A long start tag has attributes.
      isMarkup = bytes.contains(UInt8(ascii: "="))
      return
    }
    let tag = bytes[..<end]
    let content = bytes[(end + 1)...].drop(while: \.isWhiteSpace)
    let text = content.prefix { $0 != UInt8(ascii: "<") }
    let close = content[text.endIndex...]
    isMarkup =
      tag.last == UInt8(ascii: "/") || tag.contains(UInt8(ascii: "="))
      || content.first == UInt8(ascii: "<") || close.starts(with: "</\(name)".utf8)
  }

  /// Reads a name; nil if there is none at this place.
  private mutating func name() -> String? {
    let name = bytes.prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...:
        true
      default: false
      }
    }
    guard let first = name.first, first >= UInt8(ascii: "A") || first == UInt8(ascii: ":") else {
      return nil
    }
    bytes = bytes[name.endIndex...]
    let ends = bytes.first.map {
      $0.isWhiteSpace || [UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "[")].contains($0)
    }
    return ends ?? true ? String(decoding: name, as: UTF8.self) : nil
  }

  private mutating func skip(past end: String) {
    let end = Array(end.utf8)
    var index = bytes.startIndex
    while index + end.count <= bytes.endIndex {
      if bytes[index...].starts(with: end) {
        bytes = bytes[(index + end.count)...]
        return
      }
      index += 1
    }
    bytes = []
  }

  private func starts(with text: String) -> Bool {
    bytes.count >= text.utf8.count
      && zip(bytes, text.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $1 >= 0x61 }
  }

  /// Whether the bytes contain a tag, in lower or upper case.
  private func contains(_ tag: String) -> Bool {
    let last = UInt8(ascii: "<")
    var rest = sampleBytes[...]
    while let open = rest.firstIndex(of: last) {
      rest = rest[open...]
      if zip(rest, tag.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }),
        rest.count >= tag.utf8.count
      {
        return true
      }
      rest = rest.dropFirst()
    }
    return false
  }
}
