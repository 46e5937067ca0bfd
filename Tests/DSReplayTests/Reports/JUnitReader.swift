import Foundation
import FoundationXML

/// Reads JUnit XML as a build server does: case by case.
final class JUnitReader: NSObject, XMLParserDelegate {
  struct Case: Equatable {
    var suite: String
    var name: String
    /// `failure`, `error` or `skipped`; empty for a passed case.
    var result = ""
    /// The messages of failures and errors, or the reason for skipping.
    var messages: [String] = []
    var types: [String] = []
    var text = ""
    var output = ""
  }
  private(set) var cases: [Case] = []
  private var current: Case?
  private var element = ""

  /// - Returns: nil if the text is not XML.
  static func cases(in text: String) -> [Case]? {
    let reader = JUnitReader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    return parser.parse() ? reader.cases : nil
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    element = name
    switch name {
    case "testcase":
      current = Case(suite: attributes["classname"] ?? "", name: attributes["name"] ?? "")
    case "failure", "error", "skipped":
      current?.result = name
      current?.messages.append(attributes["message"] ?? "")
      if let type = attributes["type"] { current?.types.append(type) }
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    switch element {
    case "failure", "error": current?.text += text
    case "system-out": current?.output += text
    default: break
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    element = ""
    guard name == "testcase", let current else { return }
    cases.append(current)
    self.current = nil
  }
}
