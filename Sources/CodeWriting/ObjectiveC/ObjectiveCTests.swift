import DataTables

/// The expectations of a session as an XCTest in Objective-C.
struct ObjectiveCTests {
  /// The name of the class without `Tests`.
  let name: String
  /// The name of the source in the session.
  let topName: String
  let imports: [String]
  /// The statements that make what the tests check.
  let preparation: [String]
  /// The expressions that read the content.
  let reading: Reading
  let top: Int
  let expectations: [ChainExpectation]

  /// Expressions of Objective-C for the parts of the content.
  struct Reading {
    let sections: String
    let objects: String
    let count: (Int) -> String
    let titles: String
    let object: (IndexPath) -> String
    /// The key path of key-value coding.
    let keyPath: (ObjectKeyPath) -> String?
    /// A title as an object.
    let title: (Value) -> String
  }

  /// nil without expectations.
  var text: String? {
    guard !expectations.isEmpty else { return nil }
    var text = CodeText(step: 4)
    text.comment("The expectations of the session about \(topName).")
    text.add((imports + ["XCTest"]).map { "@import \($0);" })
    text.separate()
    text.comment("Import the header that declares the classes of \(name).")
    text.add("@interface \(name)Tests : XCTestCase")
    text.add("@end")
    text.separate()
    text.add("@implementation \(name)Tests")
    text.separate()
    text.block("- (void)testContent {") { text in
      text.add(preparation)
      for expectation in expectations { add(expectation, to: &text) }
    }
    text.separate()
    text.add("@end")
    return text.text
  }

  private func add(_ expectation: ChainExpectation, to text: inout CodeText) {
    if expectation.source == top, let (assertion, arguments) = line(for: expectation.content) {
      return text.call("\(assertion)(", arguments.map { .text($0) }, close: ");")
    }
    let reason =
      if case .inexpressible(let reason) = expectation.content {
        reason
      } else if expectation.source != top {
        "it concerns another source than \(topName)"
      } else {
        "only the library can check it"
      }
    text.comment("Not written: \(expectation.text) (\(reason))")
  }

  /// The name of an assertion, and its arguments.
  private func line(
    for content: ChainExpectation.Content
  ) -> (assertion: String, arguments: [String])? {
    switch content {
    case .comparison(let measure, let operation, let value):
      guard operation.options.isEmpty else { return nil }
      return line(measure, operation.kind, value)
    case .unique(let path):
      return reading.keyPath(path).map { key in
        let key = ObjectiveCLiteral.string(key)
        return (
          "XCTAssertEqual",
          [
            "[NSSet setWithArray:[\(reading.objects) valueForKeyPath:\(key)]].count",
            "\(reading.objects).count",
          ]
        )
      }
    default: return nil
    }
  }

  private func line(
    _ measure: ChainExpectation.Measure, _ kind: ComparisonOperator.Kind, _ value: Value
  ) -> (assertion: String, arguments: [String])? {
    switch measure {
    case .numberOfSections: return number(reading.sections, kind, value)
    case .numberOfObjects: return number("\(reading.objects).count", kind, value)
    case .numberOfObjectsIn(let section): return number(reading.count(section), kind, value)
    case .sectionTitles:
      guard kind == .equal, case .array(let titles) = value else { return nil }
      let list = titles.map(reading.title)
      return ("XCTAssertEqualObjects", [reading.titles, "(@[\(list.joined(separator: ", "))])"])
    case .value(let path, let key):
      guard let name = reading.keyPath(key), kind == .equal || kind == .notEqual else { return nil }
      let object =
        "[\(reading.object(path)) valueForKeyPath:\(ObjectiveCLiteral.string(name))]"
      if value.isNull { return ("XCTAssert\(kind == .equal ? "Nil" : "NotNil")", [object]) }
      return (
        "XCTAssert\(kind == .equal ? "Equal" : "NotEqual")Objects",
        [object, ObjectiveCLiteral.object(value).line]
      )
    default: return nil
    }
  }

  private func number(
    _ text: String, _ kind: ComparisonOperator.Kind, _ value: Value
  ) -> (assertion: String, arguments: [String])? {
    let assertions: [ComparisonOperator.Kind: String] = [
      .equal: "Equal", .notEqual: "NotEqual", .less: "LessThan", .greater: "GreaterThan",
      .lessOrEqual: "LessThanOrEqual", .greaterOrEqual: "GreaterThanOrEqual",
    ]
    guard case .integer(let number) = value, let assertion = assertions[kind] else { return nil }
    return ("XCTAssert\(assertion)", [text, "\(number)"])
  }
}

extension ObjectiveCContent {
  /// The tests of the sections.
  func tests(_ expectations: [ChainExpectation]) -> ObjectiveCTests {
    var preparation = CodeText(step: 4)
    if isLiteral {
      preparation.add("NSArray<\(row.type) *> *\(row.plural) = \(name).\(row.plural);")
    } else if data.rows != nil {
      addRows(to: &preparation, as: "NSArray<\(row.type) *> *\(row.plural) = ")
    } else {
      preparation.comment("Read the rows of \(data.name) here, which are too many for code.")
      preparation.add("NSArray<\(row.type) *> *\(row.plural) = @[];")
    }
    preparation.add(
      "NSArray<\(section) *> *sections = [\(name) sectionsWithRows:\(row.plural)];")
    let row = row
    let hasSections = rows.hasSections
    return ObjectiveCTests(
      name: name, topName: rows.chain.top.name, imports: ["UIKit"],
      preparation: preparation.lines,
      reading: ObjectiveCTests.Reading(
        sections: "sections.count",
        objects: "[sections valueForKeyPath:@\"@unionOfArrays.\(row.plural)\"]".asArray,
        count: { "sections[\($0)].\(row.plural).count" },
        titles: "[sections valueForKey:@\"title\"]",
        object: { "sections[\($0.section)].\(row.plural)[\($0.row)]" },
        keyPath: { row.keyPath($0)?.text },
        title: {
          // A list without sections has no title in the app.
          let isMissing = $0.isNull || $0 == .string("") && !hasSections
          return isMissing ? "NSNull.null" : ObjectiveCLiteral.string(SwiftContent.text($0))
        }),
      top: rows.chain.sources.count - 1, expectations: expectations)
  }
}

extension String {
  /// The expression as an array, whose properties have dots.
  fileprivate var asArray: String { "((NSArray *)\(self))" }
}
