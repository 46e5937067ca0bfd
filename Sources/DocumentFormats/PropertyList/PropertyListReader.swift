import DataTables
import Foundation

/// Reads a property list with Foundation, which holds all of it in memory and does not keep the
/// order of the keys: they are sorted.
struct PropertyListReader {
  let bytes: any ByteStore
  var limits = ReadLimits()
  var cancellation = Cancellation()

  static let binaryMark = Array("bplist".utf8)
  /// Foundation needs several times the size of the file.
  private static let maxSize = 256 << 20

  /// The form of the file as the load report shows it, and its value.
  /// - Throws: ``TableError``.
  func read() throws -> (form: String, value: Value) {
    guard bytes.count <= Self.maxSize else {
      throw TableError.limit(
        "a property list has over \(Self.maxSize >> 20) MiB, and all of it is held in memory",
        setting: "", at: nil)
    }
    let content = try bytes.bytes(0..<bytes.count)
    // Foundation recurses without a limit.
    let form = try checkDepth(content)
    let list: Any
    do {
      list = try PropertyListSerialization.propertyList(
        from: Data(content), options: [], format: nil)
    } catch {
      throw Self.failure(error, isText: form == .openStep)
    }
    if form == .openStep, list is String {
      throw TableError.format(
        "expected a property list: a dictionary in braces or an array in parentheses",
        at: TextPosition(line: 1, column: 1))
    }
    var converter = PropertyListConverter(cancellation: cancellation)
    return (form.rawValue, try converter.value(list))
  }

  private enum Form: String {
    case binary = "binary property list"
    case xml = "property list"
    case openStep = "OpenStep property list"
  }

  private func checkDepth(_ content: [UInt8]) throws -> Form {
    if content.starts(with: Self.binaryMark) {
      var check = BinaryPropertyListCheck(content, limits: limits)
      try check.check()
      return .binary
    }
    if MarkupStart(content).root == "plist" {
      let encoding = XMLEncoding(content.prefix(512), named: nil)
      let parser = try XMLParser(encoding: encoding.name, limits: limits)
      try parser.parse(bytes, cancellation: cancellation) { _ in }
      return .xml
    }
    try checkBrackets(content)
    return .openStep
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
