import DataTables
import Foundation

/// A property list as one value.
struct PropertyList {
  var value: Value
  /// The form of the file as the load report shows it.
  var form: String
  var encoding = "UTF-8"
  /// The line on which the value starts, and the lines of its parts; nil for a binary list and for
  /// the text form, whose reader does not count lines.
  var line: Int?
  var lines = DocumentLines()
}

/// Reads a property list. The events of libxml2 make the value of XML. Foundation reads the other
/// forms: it holds all of the file in memory and does not keep the order of the keys, so they are
/// sorted.
struct PropertyListReader {
  let bytes: any ByteStore
  var limits = ReadLimits()
  var cancellation = Cancellation()

  static let binaryMark = Array("bplist".utf8)
  /// Foundation needs several times the size of the file.
  private static let maxSize = 256 << 20

  /// - Throws: ``TableError``.
  func read() throws -> PropertyList {
    let sample = try bytes.bytes(0..<min(FormatSample.size, bytes.count))
    let isBinary = sample.starts(with: Self.binaryMark)
    if !isBinary, MarkupStart(sample).root == "plist" { return try readXML(sample) }
    guard bytes.count <= Self.maxSize else {
      throw TableError.limit(
        "the property list has over \(Self.maxSize >> 20) MiB, and all of it is held in memory",
        setting: "", at: nil)
    }
    let content = try bytes.bytes(0..<bytes.count)
    // Foundation recurses without a limit.
    if isBinary {
      var check = BinaryPropertyListCheck(content, limits: limits)
      try check.check()
    } else {
      try checkBrackets(content)
    }
    return PropertyList(
      value: try value(of: content, isBinary: isBinary),
      form: isBinary ? "binary property list" : "OpenStep property list")
  }

  private func readXML(_ sample: [UInt8]) throws -> PropertyList {
    let encoding = XMLEncoding(sample[...], named: nil)
    let parser = try XMLParser(encoding: encoding.name, limits: limits)
    var builder = XMLPropertyList(parser)
    try parser.parse(bytes, cancellation: cancellation) { try builder.take($0) }
    guard let value = builder.value else {
      throw TableError.format(
        "the property list has no value", at: TextPosition(line: builder.line, column: 1))
    }
    return PropertyList(
      value: value, form: "property list", encoding: encoding.description, line: builder.line,
      lines: builder.lines)
  }

  private func value(of content: [UInt8], isBinary: Bool) throws -> Value {
    let list: Any
    do {
      list = try PropertyListSerialization.propertyList(
        from: Data(content), options: [], format: nil)
    } catch {
      throw Self.failure(error, isText: !isBinary)
    }
    if !isBinary, list is String {
      throw TableError.format(
        "expected a property list: a dictionary in braces or an array in parentheses",
        at: TextPosition(line: 1, column: 1))
    }
    var converter = PropertyListConverter(cancellation: cancellation)
    return try converter.value(list)
  }

  /// Checks the depth of the text form. Brackets in strings and comments count too, so that the
  /// check does not depend on how Foundation reads malformed quotes.
  private func checkBrackets(_ content: [UInt8]) throws {
    var depth = 0
    var line = 1
    for byte in content {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: ")"): depth = max(0, depth - 1)
      case UInt8(ascii: "\n"): line += 1
      default: break
      }
      if depth > limits.depth {
        throw TableError.limit(
          "arrays and dictionaries are nested over \(limits.depth) levels", setting: "maxDepth",
          at: TextPosition(line: line, column: 1))
      }
    }
  }

  /// Foundation tries the text form when it fails, and keeps both errors.
  private static func failure(_ error: any Error, isText: Bool) -> TableError {
    var info = (error as NSError).userInfo
    if isText, let text = info["kCFPropertyListOldStyleParsingError"] as? NSError {
      info = text.userInfo
    }
    guard var message = info["NSDebugDescription"] as? String else {
      return .format("malformed property list", at: nil)
    }
    var line: Int?
    // "Encountered unknown tag foo on line 3"
    if let range = message.firstRange(of: " line ") {
      line = Int(message[range.upperBound...].prefix { $0.isNumber })
      let clause = message[..<range.lowerBound].split(separator: " ").dropLast()
      if line != nil { message = clause.joined(separator: " ") }
    }
    let lowercased = message.prefix(1).lowercased() + message.dropFirst()
    return .format(
      "malformed property list: \(lowercased)",
      at: line.map { TextPosition(line: $0, column: 1) })
  }
}
