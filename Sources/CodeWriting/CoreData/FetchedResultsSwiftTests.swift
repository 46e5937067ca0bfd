import DataTables

/// The expectations of a session as tests of a fetched results controller over a store in memory.
struct FetchedResultsSwiftTests {
  let code: FetchedResultsSwift
  let expectations: [ChainExpectation]
  let top: Int

  private var entity: ManagedEntity { code.entity }

  /// nil without expectations.
  var text: String? {
    guard !expectations.isEmpty else { return nil }
    var text = CodeText(step: 2)
    text.comment("The expectations of the session about \(code.topName).")
    text.add(["import CoreData", "import XCTest"])
    text.separate()
    text.comment("Add `@testable import` of the app, whose module this test is not part of.")
    text.block("final class \(code.name)Tests: XCTestCase") { text in
      text.block("func testResults() throws") { text in
        text.call(
          "let container = NSPersistentContainer(",
          ["name: \"Tests\"", .text("managedObjectModel: \(entity.name).makeModel()")])
        text.add("container.persistentStoreDescriptions[0].url = URL(filePath: \"/dev/null\")")
        text.add("container.loadPersistentStores { _, error in XCTAssertNil(error) }")
        text.add("let context = container.viewContext")
        addRows(to: &text)
        text.call(
          "let results = NSFetchedResultsController(",
          [
            .text("fetchRequest: \(entity.name).\(code.requestName)()"),
            "managedObjectContext: context", .text("sectionNameKeyPath: \(code.sectionKey)"),
            "cacheName: nil",
          ])
        text.add("try results.performFetch()")
        for expectation in expectations { add(expectation, to: &text) }
      }
      guard code.form.data.rows != nil else { return }
      text.separate()
      addInsertion(to: &text)
    }
    return text.text
  }

  private func addRows(to text: inout CodeText) {
    guard let rows = code.form.data.rows else {
      text.comment(
        "Insert the rows of \(code.form.data.name) here, which are too many for code.")
      return
    }
    for row in rows {
      text.call(
        "insert(",
        ["into: context"]
          + entity.attributes.map { attribute in
            literal(attribute.value(in: row), attribute).labeled(attribute.property)
          })
    }
  }

  private func literal(_ value: Value, _ attribute: ManagedEntity.Attribute) -> Argument {
    if value.isNull { return "nil" }
    let literal = SwiftRow.literal(value, attribute.shape.required)
    return attribute.shape.kind == .decimal
      ? .text("NSDecimalNumber(string: \"\(value.json)\")") : literal
  }

  private func addInsertion(to text: inout CodeText) {
    let parameters: [Argument] = entity.attributes.map {
      .text("\($0.property): \($0.swiftType)")
    }
    text.call(
      "private func insert(", ["into context: NSManagedObjectContext"] + parameters, close: ") {")
    text.indented { text in
      text.add("let \(entity.variable) = \(entity.name)(context: context)")
      for attribute in entity.attributes {
        text.add("\(entity.variable).\(attribute.property) = \(attribute.property)")
      }
    }
    text.add("}")
  }

  private func add(_ expectation: ChainExpectation, to text: inout CodeText) {
    if expectation.source == top, let (left, right, assertion) = sides(expectation.content) {
      return text.call("XCTAssert\(assertion)(", [.text(left), right])
    }
    let reason =
      if case .inexpressible(let reason) = expectation.content {
        reason
      } else if expectation.source != top {
        "it concerns another source"
      } else {
        "only the library can check it"
      }
    text.comment("Not written: \(expectation.text) (\(reason))")
  }

  private func sides(_ content: ChainExpectation.Content) -> (String, Argument, String)? {
    guard case .comparison(let measure, let operation, let value) = content,
      operation.options.isEmpty
    else { return nil }
    let assertions: [ComparisonOperator.Kind: String] = [
      .equal: "Equal", .notEqual: "NotEqual", .less: "LessThan", .greater: "GreaterThan",
      .lessOrEqual: "LessThanOrEqual", .greaterOrEqual: "GreaterThanOrEqual",
    ]
    guard let assertion = assertions[operation.kind] else { return nil }
    switch measure {
    case .numberOfSections: return number("results.sections?.count", value, assertion)
    case .numberOfObjects: return number("results.fetchedObjects?.count", value, assertion)
    case .numberOfObjectsIn(let section):
      return number("results.sections?[\(section)].numberOfObjects", value, assertion)
    case .sectionTitles:
      guard case .array(let titles) = value else { return nil }
      return ("results.sections?.map(\\.name)", .list(titles.map(title)), assertion)
    case .title(let section):
      return ("results.sections?[\(section)].name", title(value), assertion)
    case .indexTitles:
      guard case .array(let titles) = value else { return nil }
      return ("results.sectionIndexTitles", .list(titles.map(title)), assertion)
    case .value(let path, let key):
      guard let attribute = entity.attribute(key), !value.isNull,
        SwiftRow.isLiteral(value, attribute.shape)
      else { return nil }
      let object = "results.object(at: [\(path.section), \(path.row)])"
      return ("\(object).\(attribute.property)", literal(value, attribute), assertion)
    case .object, .indexPath: return nil
    }
  }

  /// An optional is ordered only with `XCTUnwrap`.
  private func number(
    _ text: String, _ value: Value, _ assertion: String
  ) -> (String, Argument, String)? {
    guard case .integer(let number) = value else { return nil }
    let left =
      assertion.hasSuffix("Equal") && !assertion.contains("Than") ? text : "try XCTUnwrap(\(text))"
    return (left, .text("\(number)"), assertion)
  }

  private func title(_ value: Value) -> Argument {
    .text(SwiftLiteral.string(value.isNull ? "" : SwiftContent.text(value)))
  }
}
