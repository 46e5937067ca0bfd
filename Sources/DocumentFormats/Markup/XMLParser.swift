internal import CXML
import DataTables

/// Parses XML or HTML in pieces, with libxml2.
///
/// The first parser loads libxml2. Memory: one piece, the names and the longest text.
final class XMLParser {
  enum Syntax { case xml, html }

  private let parser: OpaquePointer
  private let syntax: Syntax
  private let maxDepth: DepthLimit
  private let limits: ReadLimits
  /// The size of the document in bytes, if it is known.
  private var size: Int?
  private let encoding: String
  private var names: [String] = []

  /// The maximum depth of HTML, in which elements are often not closed.
  private static let maxHTMLDepth = 2_048
  /// Values nested as deep as the elements are freed recursively.
  private static let maxXMLDepth = 4_096

  /// - Parameter encoding: a name that iconv knows; nil for UTF-8. The parser ignores declarations
  ///   of the encoding.
  /// - Throws: ``TableError/io(_:)`` if libxml2 is not installed, ``TableError/badArgument(_:)`` for
  ///   an unknown encoding.
  init(
    _ syntax: Syntax = .xml, encoding: String? = nil, limits: ReadLimits = ReadLimits()
  ) throws(TableError) {
    if let failure = cxml_open() {
      throw .io(
        "libxml2 is missing: install the package `libxml2` (\(String(cString: failure)))")
    }
    maxDepth =
      syntax == .html
      ? limits.isDepthStated
        ? DepthLimit(limits, supported: Self.maxHTMLDepth)
        : DepthLimit(supported: Self.maxHTMLDepth)
      : DepthLimit(limits, supported: Self.maxXMLDepth)
    self.limits = limits
    let parser = cxml_new(
      syntax == .html, encoding,
      cxml_limits(depth: UInt32(clamping: maxDepth.levels), text: UInt32(clamping: limits.row)))
    guard let parser else {
      throw .badArgument(
        "unknown encoding `\(encoding ?? "UTF-8")`; add its name, such as `encoding: utf-8`")
    }
    self.parser = parser
    self.syntax = syntax
    self.encoding = encoding ?? "UTF-8"
  }

  deinit { cxml_free(parser) }

  /// Parses all of `bytes`.
  /// - Parameter body: receives the events of each piece, in order.
  /// - Throws: ``TableError``.
  func parse(
    _ bytes: any ByteStore, cancellation: Cancellation, _ body: (XMLEvents) throws -> Void
  ) throws {
    size = bytes.count
    do {
      try parsePieces(of: bytes, cancellation: cancellation, body)
    } catch TableError.encoding("UTF-8", let offset, nil) {
      throw try TextEncoding.error(in: bytes, at: offset)
    }
  }

  private func parsePieces(
    of bytes: any ByteStore, cancellation: Cancellation, _ body: (XMLEvents) throws -> Void
  ) throws {
    let size = Int(CXML_PIECE)
    try withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
      var offset = 0
      var isLast = false
      while !isLast {
        try cancellation.check()
        let count = try bytes.read(at: offset, into: buffer)
        offset += count
        isLast = count < size
        try feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]), isLast: isLast, body)
      }
    }
  }

  /// Parses the next bytes of a document, any number of them.
  /// - Parameter body: receives the events of each piece, in order.
  /// - Throws: ``TableError``.
  func feed(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ body: (XMLEvents) throws -> Void
  ) throws {
    var start = 0
    repeat {
      let end = min(start + Int(CXML_PIECE), bytes.count)
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      let code = cxml_feed(parser, piece.baseAddress, piece.count, isLast && end == bytes.count)
      try body(events())
      if code != CXML_OK { throw failure(code) }
      start = end
    } while start < bytes.count
  }

  /// The number of references to external entities, which read as empty.
  var externalReferences: Int { cxml_external_references(parser) }

  /// The name of an element or attribute, as written: `prefix:name`.
  func name(_ number: Int) -> String {
    while names.count <= number, names.count < cxml_name_count(parser) {
      var length = 0
      let bytes = cxml_name(parser, names.count, &length)
      names.append(
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self))
    }
    return names.indices.contains(number) ? names[number] : ""
  }

  private func events() -> XMLEvents {
    var count = 0
    let events = cxml_events(parser, &count)
    return XMLEvents(
      events: UnsafeBufferPointer(start: events, count: count), texts: cxml_text(parser))
  }

  private func failure(_ code: Int32) -> TableError {
    let failure = cxml_failed(parser)
    let line = Int(failure.line)
    let column = failure.column > 0 ? Int(failure.column) : nil
    let place = line > 0 ? TextPosition(line: line, column: column) : nil
    return switch Int(code) {
    case Int(CXML_ENCODING):
      .encoding(expected: encoding, offset: Int(clamping: failure.offset), fitting: nil)
    case Int(CXML_MALFORMED):
      .format(malformation(failure), at: place)
    case Int(CXML_TRUNCATED): .format(truncation(failure), at: place)
    case Int(CXML_TOO_DEEP): maxDepth.error("an element", at: place)
    case Int(CXML_TEXT_TOO_LONG):
      .limit(
        "a text has over \(limits.row.counted("byte"))", setting: limits.rowSetting(for: size),
        at: place)
    case Int(CXML_TOO_MANY_ATTRIBUTES):
      .limit(
        "an element has over \(Int(CXML_MAX_ATTRIBUTES).grouped) attributes", setting: "", at: place
      )
    case Int(CXML_TOO_MANY_NAMES):
      .limit("the document has over \(Int(CXML_MAX_NAMES).grouped) names", setting: "", at: place)
    case Int(CXML_EXPANSION):
      .limit("expanded entities add over 1 MiB to the document", setting: "", at: place)
    case Int(CXML_DTD_TOO_LONG): .limit("the DTD has over 256 KiB", setting: "", at: place)
    case Int(CXML_HTML_TOO_LONG):
      .limit("the document has over \(CXML_MAX_HTML >> 20) MiB", setting: "", at: nil)
    default: .io("memory ran out")
    }
  }

  private func malformation(_ failure: cxml_failure) -> String {
    let element =
      failure.element_line > 0
      ? (name: name(Int(failure.element_name)), line: Int(failure.element_line)) : nil
    return XMLMessage.clause(failure.message.map { String(cString: $0) } ?? "", in: element)
  }

  private func truncation(_ failure: cxml_failure) -> String {
    guard failure.element_line > 0 else { return "the document ends before its root element" }
    // The place follows.
    return "the element `\(name(Int(failure.element_name)))` of line "
      + "\(Int(failure.element_line).grouped) is not closed; the document ends"
  }
}

/// The events of a piece. The memory is that of the parser and valid until the next piece.
struct XMLEvents {
  let events: UnsafeBufferPointer<cxml_event>
  fileprivate let texts: UnsafePointer<CChar>?

  /// The text of a text or attribute, in UTF-8.
  @inline(__always)
  func text(of event: cxml_event) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: UnsafeRawBufferPointer(start: texts, count: Int(event.start) + Int(event.length))[
        Int(event.start)...])
  }
}

extension cxml_event {
  enum Kind { case start, attribute, text, end }

  @inline(__always)
  var eventKind: Kind {
    switch Int(kind) {
    case Int(CXML_START): .start
    case Int(CXML_ATTRIBUTE): .attribute
    case Int(CXML_TEXT): .text
    default: .end
    }
  }
}
