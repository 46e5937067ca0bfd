import FoundationXML

/// The rules of `jenkins-junit.xsd`, the JUnit schema of Jenkins and others, and one more that
/// readers rely on: the counts agree with the elements.
enum JUnitSchema {
  private struct Element {
    var required: Set<String> = []
    var optional: Set<String> = []
    /// In this order, with the maximum number of each; nil for any number.
    var children: [(name: String, maximum: Int?)] = []
    var hasText = false
  }

  private static let problem = Element(optional: ["type", "message"], hasText: true)
  private static let output = Element(hasText: true)
  private static let elements: [String: Element] = [
    "testsuites": Element(
      optional: ["name", "time", "tests", "failures", "disabled", "errors"],
      children: [("testsuite", nil)]),
    "testsuite": Element(
      required: ["name", "tests"],
      optional: [
        "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id",
        "package",
      ],
      children: [("properties", 1), ("testcase", nil), ("system-out", 1), ("system-err", 1)]),
    "testcase": Element(
      required: ["name"], optional: ["assertions", "time", "classname", "status"],
      children: [
        ("skipped", 1), ("error", nil), ("failure", nil), ("system-out", nil), ("system-err", nil),
      ]),
    "properties": Element(children: [("property", nil)]),
    "property": Element(required: ["name", "value"]),
    "skipped": problem, "error": problem, "failure": problem,
    "system-out": output, "system-err": output,
  ]

  /// The violations in a document.
  static func mistakes(in text: String) throws -> [String] {
    let document = try XMLDocument(xmlString: text, options: [])
    guard let root = document.rootElement() else { return ["the root is missing"] }
    guard root.name == "testsuites" || root.name == "testsuite" else {
      return ["the root is \(root.name ?? "")"]
    }
    return mistakes(in: root) + countMistakes(in: root)
  }

  private static func mistakes(in element: XMLElement) -> [String] {
    let name = element.name ?? ""
    guard let rule = elements[name] else { return ["\(name) is not in the schema"] }
    let attributes = Set((element.attributes ?? []).compactMap(\.name))
    var mistakes = rule.required.subtracting(attributes).sorted().map { "\(name) has no \($0)" }
    mistakes += attributes.subtracting(rule.required).subtracting(rule.optional).sorted()
      .map { "\(name) may have no \($0)" }
    let children = (element.children ?? []).compactMap { $0 as? XMLElement }
    mistakes += orderMistakes(children.compactMap(\.name), in: name, rule)
    let text = (element.children ?? []).filter { $0.kind == .text }
      .compactMap(\.stringValue).joined()
    if !rule.hasText, text.contains(where: { !$0.isWhitespace }) {
      mistakes.append("\(name) may have no text")
    }
    return mistakes + children.flatMap { Self.mistakes(in: $0) }
  }

  private static func orderMistakes(
    _ names: [String], in parent: String, _ rule: Element
  ) -> [String] {
    var mistakes: [String] = []
    var place = 0
    for name in names {
      guard let next = rule.children[place...].firstIndex(where: { $0.name == name }) else {
        let isKnown = rule.children.contains { $0.name == name }
        mistakes.append(
          "\(parent): \(name) \(isKnown ? "is out of order" : "does not belong here")")
        continue
      }
      place = next
    }
    for child in rule.children {
      let count = names.count { $0 == child.name }
      if let maximum = child.maximum, count > maximum {
        mistakes.append("\(parent): \(count) \(child.name)")
      }
    }
    return mistakes
  }

  /// Each case is passed, a failure, an error or skipped.
  private static func countMistakes(in root: XMLElement) -> [String] {
    let suites = root.name == "testsuite" ? [root] : root.elements(forName: "testsuite")
    var mistakes: [String] = []
    for element in [root] + suites.filter({ $0 !== root }) {
      let within = element === root && root.name == "testsuites" ? suites : [element]
      let cases = within.flatMap { $0.elements(forName: "testcase") }
      var counts = ["tests": cases.count]
      for (attribute, name) in [
        ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"),
      ] {
        counts[attribute] = cases.count { !$0.elements(forName: name).isEmpty }
      }
      for (attribute, count) in counts.sorted(by: { $0.key < $1.key }) {
        guard let value = element.attribute(forName: attribute)?.stringValue else { continue }
        if value != String(count) {
          mistakes.append("\(element.name ?? ""): \(attribute) is \(value), and there are \(count)")
        }
      }
      let time = element.attribute(forName: "time")?.stringValue ?? "0"
      if Double(time) == nil { mistakes.append("\(element.name ?? ""): time is \(time)") }
    }
    return mistakes
  }
}
