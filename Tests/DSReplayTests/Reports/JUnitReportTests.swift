import Foundation
import FoundationXML
import Testing

@testable import DSReplay

@Suite struct JUnitReportTests {
  /// What the schema that Jenkins and others validate against has in each element.
  private static let attributes: [String: Set<String>] = [
    "testsuites": ["name", "time", "tests", "failures", "disabled", "errors"],
    "testsuite": [
      "name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname",
      "id", "package",
    ],
    "testcase": ["name", "assertions", "time", "classname", "status"],
    "failure": ["type", "message"], "error": ["type", "message"],
    "skipped": ["type", "message"], "system-out": [],
  ]
  private static let children: [String: Set<String>] = [
    "testsuites": ["testsuite"], "testsuite": ["testcase"],
    "testcase": ["skipped", "error", "failure", "system-out"],
  ]

  @Test func theShapeIsThatOfTheSchema() throws {
    let root = try document().rootElement()
    try check(try #require(root), parent: nil)
    #expect(root?.name == "testsuites")
  }

  private func document() throws -> XMLDocument {
    try XMLDocument(xmlString: ReportFixture.text(JUnitReport.self), options: [])
  }

  private func check(_ element: XMLElement, parent: String?) throws {
    let name = try #require(element.name)
    let allowed = try #require(Self.attributes[name], "\(name)")
    let names = (element.attributes ?? []).compactMap(\.name)
    #expect(Set(names).isSubset(of: allowed))
    if let parent { #expect(Self.children[parent]?.contains(name) == true) }
    for child in (element.children ?? []).compactMap({ $0 as? XMLElement }) {
      try check(child, parent: name)
    }
  }

  @Test func countsAreThoseOfTheElements() throws {
    let root = try #require(try document().rootElement())
    for (path, count) in [("failures", 1), ("errors", 2), ("tests", 11)] {
      #expect(root.attribute(forName: path)?.stringValue == String(count))
    }
    for suite in root.elements(forName: "testsuite") {
      let cases = suite.elements(forName: "testcase")
      #expect(suite.attribute(forName: "tests")?.stringValue == String(cases.count))
      for (attribute, element) in [
        ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"),
      ] {
        let with = cases.count { !$0.elements(forName: element).isEmpty }
        #expect(suite.attribute(forName: attribute)?.stringValue == String(with))
      }
    }
  }

  @Test func textsComeBackWithWhatXMLHasNoWayToWrite() throws {
    let readable = ReportFixture.awkward.replacingOccurrences(of: "\u{1}", with: "\u{FFFD}")
      .replacingOccurrences(of: "\u{1B}", with: "\u{FFFD}")
      .replacingOccurrences(of: "\u{FFFE}", with: "\u{FFFD}")
    let cases = try document().nodes(forXPath: "//testcase[@classname='bad,:%.ds']")
    let awkward = try #require(cases.dropFirst().first as? XMLElement)
    #expect(awkward.attribute(forName: "name")?.stringValue == readable)
    let failures = awkward.elements(forName: "failure")
    #expect(failures.count == 2)
    #expect(failures[0].attribute(forName: "message")?.stringValue == readable)
    #expect(failures[0].stringValue?.contains("- " + readable) == true)
  }
}
