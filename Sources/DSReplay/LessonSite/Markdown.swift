internal import CMD4C
import DataTables
import DisplayText

/// Markdown as HTML: CommonMark with tables, parsed by libmd4c.
///
/// Markup in a text is text. Images are replaced by their descriptions, and links lead to other hosts or
/// to pages of lessons only; others are plain text, because the files are not among the pages.
struct Markdown {
  /// The address of the page of a file that a link names; nil if it has none.
  private let page: (String) -> String?

  /// - Throws: `TableError.io` if libmd4c is not installed.
  init(page: @escaping (String) -> String?) throws(TableError) {
    if let failure = cmd4c_open() {
      throw .io(
        "pages of lessons need the library libmd4c (Debian's package libmd4c0, which `Scripts/setup` "
          + "installs): \(String(cString: failure))")
    }
    self.page = page
  }

  /// - Parameter outline: the headings so far.
  func markup(_ lines: [String], _ outline: inout HeadingOutline) -> Markup {
    let writer = Writer(page, outline)
    var text = lines.map { $0.escapingControls(keepsTabs: true) + "\n" }.joined()
    var callbacks = cmd4c_callbacks(
      enter_block: { kind, detail, context in
        Writer.at(context).enter(block: Int(kind), detail)
        return 0
      },
      leave_block: { kind, detail, context in
        Writer.at(context).leave(block: Int(kind))
        return 0
      },
      enter_span: { kind, detail, context in
        Writer.at(context).enter(span: Int(kind), detail)
        return 0
      },
      leave_span: { kind, detail, context in
        Writer.at(context).leave(span: Int(kind))
        return 0
      },
      text: { kind, text, size, context in
        Writer.at(context).add(kind, UnsafeBufferPointer(start: text, count: Int(size)))
        return 0
      })
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // It fails only if memory is exhausted.
        _ = cmd4c_parse(
          characters.baseAddress, UInt32(characters.count), &callbacks,
          Unmanaged.passUnretained(writer).toOpaque())
      }
    }
    outline = writer.outline
    return Markup(verbatim: writer.text)
  }
}

/// The levels of the headings of a page, so that no level is left out.
struct HeadingOutline {
  /// The heading of the page.
  private(set) var last = 1
  /// The lowest number for the next headings.
  var minimum = 2

  /// - Parameter level: the level in the text of an author.
  /// - Returns: the level on the page.
  mutating func next(_ level: Int) -> Int {
    last = min(max(level, minimum), last + 1, 6)
    return last
  }
}

/// Writes HTML as libmd4c reports blocks, spans and texts.
private final class Writer {
  private(set) var text = ""
  private(set) var outline: HeadingOutline
  private let page: (String) -> String?
  /// The levels of the open headings.
  private var levels: [Int] = []
  /// The ends of the open links.
  private var linkEnds: [String] = []

  init(_ page: @escaping (String) -> String?, _ outline: HeadingOutline) {
    self.page = page
    self.outline = outline
  }

  /// - Parameter context: a writer that outlives the parser.
  static func at(_ context: UnsafeMutableRawPointer?) -> Writer {
    guard let context else { preconditionFailure("the parser passes the context on") }
    return Unmanaged<Writer>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Blocks

  func enter(block kind: Int, _ detail: UnsafeMutableRawPointer?) {
    switch kind {
    case CMD4C_HEADING:
      let level = detail?.load(as: cmd4c_heading.self).level ?? 1
      levels.append(outline.next(Int(level)))
      text += "<h\(outline.last)>"
    case CMD4C_ORDERED_LIST:
      let start = detail?.load(as: cmd4c_ordered_list.self).start ?? 1
      text += start == 1 ? "<ol>\n" : "<ol start=\"\(start)\">\n"
    case CMD4C_RULE: text += "<hr>\n"
    default: text += Self.elements[kind]?.start ?? ""
    }
  }

  func leave(block kind: Int) {
    switch kind {
    case CMD4C_HEADING: text += "</h\(levels.popLast() ?? 2)>\n"
    case CMD4C_ORDERED_LIST: text += "</ol>\n"
    default: text += Self.elements[kind]?.end ?? ""
    }
  }

  /// Tables and code scroll if they are wider than the page; a region that scrolls can be focused.
  private static let elements: [Int: (start: String, end: String)] = [
    CMD4C_QUOTE: ("<blockquote>\n", "</blockquote>\n"), CMD4C_LIST: ("<ul>\n", "</ul>\n"),
    CMD4C_ITEM: ("<li>", "</li>\n"), CMD4C_PARAGRAPH: ("<p>", "</p>\n"),
    CMD4C_CODE_BLOCK: (
      "<pre class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"Code\"><code>",
      "</code></pre>\n"
    ),
    CMD4C_TABLE: (
      "<div class=\"scrolls\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n",
      "</table></div>\n"
    ),
    CMD4C_TABLE_HEAD: ("<thead>\n", "</thead>\n"), CMD4C_TABLE_BODY: ("<tbody>\n", "</tbody>\n"),
    CMD4C_TABLE_ROW: ("<tr>", "</tr>\n"), CMD4C_HEADER_CELL: ("<th scope=\"col\">", "</th>"),
    CMD4C_CELL: ("<td>", "</td>"),
  ]

  // MARK: Spans and texts

  func enter(span kind: Int, _ detail: UnsafeMutableRawPointer?) {
    switch kind {
    case CMD4C_EMPHASIS: text += "<em>"
    case CMD4C_STRONG: text += "<strong>"
    case CMD4C_CODE_SPAN: text += "<code>"
    case CMD4C_LINK:
      let address = detail.flatMap { destination(of: $0.load(as: cmd4c_link.self).address) }
      text += address.map { "<a href=\"\($0.escapedForMarkup)\">" } ?? ""
      linkEnds.append(address == nil ? "" : "</a>")
    default: break
    }
  }

  func leave(span kind: Int) {
    switch kind {
    case CMD4C_EMPHASIS: text += "</em>"
    case CMD4C_STRONG: text += "</strong>"
    case CMD4C_CODE_SPAN: text += "</code>"
    case CMD4C_LINK: text += linkEnds.popLast() ?? ""
    default: break
    }
  }

  private func destination(of link: cmd4c_attribute) -> String? {
    let address = Self.string(UnsafeBufferPointer(start: link.text, count: Int(link.size)))
    let isElsewhere = ["http://", "https://", "mailto:"].contains {
      address.lowercased().hasPrefix($0)
    }
    return isElsewhere ? address : page(address)
  }

  func add(_ kind: Int32, _ characters: UnsafeBufferPointer<CChar>) {
    switch Int(kind) {
    case CMD4C_NULL_CHARACTER: text += "\u{FFFD}"
    case CMD4C_LINE_BREAK: text += "<br>\n"
    case CMD4C_SOFT_BREAK: text += "\n"
    case CMD4C_ENTITY: text += Self.character(Self.string(characters))
    default: text += Self.escaped(Self.string(characters))
    }
  }

  /// Code has line ends and tabs, which are kept.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { String($0).escapedForMarkup }.joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// - Parameter reference: `&amp;`, `&#39;` or `&#x27;`.
  private static func character(_ reference: String) -> String {
    // Letters and digits between the marks.
    guard reference.hasPrefix("&#") else { return reference }
    let number = reference.dropFirst(2).dropLast()
    let isHexadecimal = number.first == "x" || number.first == "X"
    let value = UInt32(isHexadecimal ? number.dropFirst() : number, radix: isHexadecimal ? 16 : 10)
    guard let value, value != 0, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
    return String(scalar).escapedForMarkup
  }

  private static func string(_ characters: UnsafeBufferPointer<CChar>) -> String {
    String(decoding: characters.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
