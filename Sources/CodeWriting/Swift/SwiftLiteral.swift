import DataTables

/// Values and texts as Swift writes them.
enum SwiftLiteral {
  /// A string literal that has the value `text`, whatever it contains.
  static func string(_ text: String) -> String {
    var literal = "\""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where scalar.isInvisible || index == 0 && isMark(scalar):
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// Whether a scalar would join the quote before it.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// The words that are not identifiers, or that members of types must not be.
  static let reserved: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break",
    "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "hash", "hashValue",
    "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "open", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Types of the standard library, Foundation and the code itself that are used without a module.
  static let types: Set<String> = [
    "AnyClass", "AnyObject", "Array", "Bool", "Bundle", "Calendar", "Character", "CocoaError",
    "CodingKey", "CodingKeys", "Data", "Date", "DateFormatter", "Decimal", "Decodable", "Decoder",
    "Dictionary", "Double", "Element", "Encodable", "Encoder", "Equatable", "Error", "Float",
    "Hashable", "Hasher", "HTTPURLResponse", "IndexPath", "IndexSet", "Int", "Int64",
    "JSONDecoder", "KeyPathComparator", "Locale", "MainActor", "Never", "Occurrence", "Optional",
    "ProcessInfo", "Result", "Selector", "Sendable", "Sequence", "Set", "String", "Substring",
    "Task", "TimeZone", "URL", "URLComponents", "URLError", "URLQueryItem", "URLRequest",
    "URLSession", "Value", "Void",
  ]

  /// Variables of the functions that handle rows.
  static let locals: Set<String> = [
    "cell", "collation", "components", "content", "context", "dataSource", "data", "formatter",
    "index", "indexPath", "isLoading", "item", "last", "left", "message", "name", "new", "offset",
    "page", "parts", "place", "request", "response", "results", "right", "section", "sections",
    "selector", "snapshot", "start", "tableView", "text", "title", "titles", "url", "values",
    "view",
  ]

  static let identifiers = Identifier(reserved: reserved, types: types)
}
