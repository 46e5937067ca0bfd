import DataTables

/// The expectations of a session as tests of the sections that plain Swift computes.
struct SwiftContentTests {
  private(set) var content: SwiftContent
  let expectations: [ChainExpectation]

  private var row: SwiftRow { content.row }

  /// nil without expectations.
  func text() throws(CodeRefusal) -> String? {
    guard !expectations.isEmpty else { return nil }
    var body = CodeText(step: 2, margin: 4)
    for expectation in expectations { add(expectation, to: &body) }
    var text = CodeText(step: 2)
    text.comment("The expectations of the session about \(content.rows.chain.top.name).")
    text.add("import XCTest")
    text.separate()
    text.comment("Add `@testable import` of the app, whose module this test is not part of.")
    text.block("final class \(content.name)Tests: XCTestCase") { text in
      if content.needsCollation { text.add("@MainActor") }
      text.block("func testSections() throws") { text in
        for parameter in content.parameters {
          let data = SwiftData(source: parameter.source, name: parameter.name, row: row)
          if data.isLiteral {
            text.add("let \(parameter.name) = \(content.name).\(parameter.name)")
          } else if let rows = parameter.source.rows {
            text.call(
              "let \(parameter.name): [\(row.type)] = [", rows.map(row.literal), close: "]",
              trailingComma: true)
          } else {
            let resource = SwiftLiteral.string(data.resource)
            text.comment(
              "`save \(parameter.source.name) \(data.resource).json` of dsshell writes these rows.")
            text.add("let url = try XCTUnwrap(")
            text.add(
              "  Bundle(for: Self.self).url(forResource: \(resource), withExtension: \"json\"))")
            text.add(
              "let \(parameter.name) = try \(content.name).\(data.loader)(from: url)")
          }
        }
        let list = content.parameters.map { "\($0.name): \($0.name)" }
        text.add(
          "let sections = \(content.name).sections(\(list.joined(separator: ", ")))")
        text.add(body.lines)
      }
    }
    if !body.lines.contains(where: { $0.contains("sections") && !$0.hasPrefix("//") }) {
      text.replaceLast("let sections =", with: "_ =")
    }
    return text.text
  }

  private func add(_ expectation: ChainExpectation, to text: inout CodeText) {
    if let lines = lines(for: expectation) { return text.add(lines) }
    let reason =
      if case .inexpressible(let reason) = expectation.content {
        reason
      } else if expectation.source != content.rows.chain.sources.count - 1 {
        "it concerns another source than \(content.rows.chain.top.name)"
      } else {
        "the types guarantee it, or only the library can check it"
      }
    text.comment("Not written: \(expectation.text) (\(reason))")
  }

  private func lines(for expectation: ChainExpectation) -> [String]? {
    guard expectation.source == content.rows.chain.sources.count - 1 else { return nil }
    switch expectation.content {
    case .comparison(let measure, let operation, let value):
      guard operation.options.isEmpty, let (left, right) = sides(measure, value) else {
        return nil
      }
      let assertions: [ComparisonOperator.Kind: String] = [
        .equal: "Equal", .notEqual: "NotEqual", .less: "LessThan", .greater: "GreaterThan",
        .lessOrEqual: "LessThanOrEqual", .greaterOrEqual: "GreaterThanOrEqual",
      ]
      guard let assertion = assertions[operation.kind] else { return nil }
      var text = CodeText(step: 2, margin: 4)
      switch operation.kind {
      case .equal where value.isNull: text.call("XCTAssertNil(", [.text(left)])
      case .notEqual where value.isNull: text.call("XCTAssertNotNil(", [.text(left)])
      default: text.call("XCTAssert\(assertion)(", [.text(left), right])
      }
      return text.lines
    case .all(let predicate, let isNegated):
      var writer = SwiftPredicate(row: row.variable, rowType: row)
      guard let condition = try? writer.condition(predicate),
        writer.rowType.computed.count == row.computed.count
      else { return nil }
      // The type of the property guarantees it.
      if condition == (isNegated ? "false" : "true") { return nil }
      let rows = "sections.flatMap(\\.\(row.plural))"
      let test = "\(rows).\(isNegated ? "contains" : "allSatisfy")"
      let line = "  \(test) { \(row.variable) in \(condition) })"
      let head = "XCTAssert\(isNegated ? "False" : "True")("
      if line.count <= 96 { return [head, line] }
      guard let broken = try? writer.condition(predicate, breaking: true) else { return nil }
      let lines = broken.split(separator: "\n").map { "    " + $0 }
      return [head, "  \(test) { \(row.variable) in"] + lines + ["  })"]
    case .unique(let path):
      guard let property = plainProperty(path) else { return nil }
      return [
        "let values = sections.flatMap(\\.\(row.plural)).map(\\.\(property))",
        "XCTAssertEqual(Set(values).count, values.count)",
      ]
    case .sorted, .outOfRange, .inexpressible: return nil
    }
  }

  private func plainProperty(_ path: ObjectKeyPath) -> String? {
    guard path.steps.count == 1, case .key(let key) = path.steps[0],
      row.shape.fields.contains(where: { $0.key == key })
    else { return nil }
    return row.name(of: key)
  }

  private func sides(
    _ measure: ChainExpectation.Measure, _ value: Value
  ) -> (String, Argument)? {
    switch measure {
    case .numberOfSections: return number("sections.count", value)
    case .numberOfObjects: return number("sections.flatMap(\\.\(row.plural)).count", value)
    case .numberOfObjectsIn(let section):
      return number("sections[\(section)].\(row.plural).count", value)
    case .sectionTitles:
      guard case .array(let titles) = value else { return nil }
      return ("sections.map(\\.title)", .list(titles.map(title)))
    case .title(let section): return ("sections[\(section)].title", title(value))
    case .indexTitles: return nil
    case .object(let path):
      guard SwiftRow.isLiteral(value, row.shape) else { return nil }
      return (object(path), row.literal(value))
    case .value(let path, let key):
      guard let property = plainProperty(key),
        let field = row.shape.fields.first(where: { row.name(of: $0.key) == property }),
        SwiftRow.isLiteral(value, field.shape)
      else { return nil }
      return ("\(object(path)).\(property)", SwiftRow.literal(value, field.shape))
    case .indexPath: return nil
    }
  }

  private func number(_ text: String, _ value: Value) -> (String, Argument)? {
    guard case .integer(let number) = value else { return nil }
    return (text, .text("\(number)"))
  }

  /// A list without sections has no title in the app.
  private func title(_ value: Value) -> Argument {
    let text = value.isNull ? "" : SwiftContent.text(value)
    return value.isNull || text.isEmpty && !content.rows.hasSections
      ? "nil" : .text(SwiftLiteral.string(text))
  }

  private func object(_ path: IndexPath) -> String {
    "sections[\(path.section)].\(row.plural)[\(path.row)]"
  }
}
