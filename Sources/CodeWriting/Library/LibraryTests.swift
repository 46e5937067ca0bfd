import DataTables

/// The expectations of a session as a suite of Swift Testing.
struct LibraryTests {
  let code: LibraryCode
  let expectations: [ChainExpectation]

  /// nil without expectations.
  var text: String? {
    guard !expectations.isEmpty else { return nil }
    var text = CodeText(step: 2)
    text.comment("The expectations of the session about \(code.chain.top.name).")
    text.add(["import DataSources", "import DataTables", "import Testing"])
    text.separate()
    text.block("@MainActor struct \(code.name)Tests") { text in
      text.block("@Test func theExpectationsHold() async throws") { text in
        text.add("let sources = try await \(code.name)()")
        addFaultlessness(to: &text)
        text.add("try await sources.fetch()")
        for expectation in expectations { add(expectation, to: &text) }
      }
      if expectations.contains(where: \.readsValue) {
        text.separate()
        text.add(Self.helper)
      }
    }
    return text.text
  }

  /// The statements that turn off delays and failures on request, with which a fetch of the test would
  /// take time, or fail where the session fetched again.
  private func addFaultlessness(to text: inout CodeText) {
    for (source, name) in zip(code.chain.sources, code.names) {
      switch source.form {
      case .slow: text.add("sources.\(name).delay = .zero")
      case .faulty: text.add("sources.\(name).faults = Faults()")
      default: break
      }
    }
  }

  private static let helper = """
    private func value(
      _ key: String, at path: IndexPath, of source: any DataSource
    ) async throws -> Value {
      try ObjectKeyPath(parsing: key).evaluate(on: await source.object(at: path))
    }
    """

  private func add(_ expectation: ChainExpectation, to text: inout CodeText) {
    if case .inexpressible(let reason) = expectation.content {
      text.comment("Not written: \(expectation.text) (\(reason))")
      return
    }
    let source = "sources." + code.names[expectation.source ?? code.names.count - 1]
    switch expectation.content {
    case .comparison(let measure, let operation, let value):
      let (left, right) = Self.sides(measure, value, of: source)
      if let symbol = Self.symbol(operation), Self.isSwift(measure, operation) {
        compare(left, symbol, right, measure, to: &text)
      } else {
        text.add("#expect(")
        text.indented { text in
          text.call(
            "try ComparisonOperator(.\(operation.kind)).holds(",
            [.text(left), right])
        }
        text.add(")")
      }
    case .all(let predicate, let isNegated):
      text.block("do") { text in
        text.add(LibraryLiteral.predicate(predicate), after: "let predicate = Predicate")
        text.block("for object in try await \(source).allObjects()") { text in
          text.add("#expect(try \(isNegated ? "!" : "")predicate.holds(on: object))")
        }
      }
    case .unique(let key):
      text.block("do") { text in
        text.add("let key = \(LibraryLiteral.path(key).line)")
        text.add("let values = try await \(source).allObjects().map { key.evaluate(on: $0) }")
        text.add("#expect(Set(values).count == values.count)")
      }
    case .sorted(let descriptors):
      text.block("do") { text in
        text.call(
          "let sorted = SectionedSource(",
          [
            .text(source), LibraryLiteral.sort(descriptors).labeled("sort"),
          ])
        text.add("try await sorted.fetchData()")
        text.add(
          "#expect(try await sorted.allObjects() == \(source).allObjects())")
      }
    case .outOfRange(let path):
      text.block("await #expect(throws: SourceError.self)") { text in
        text.add("try await \(source).object(at: \(Self.path(path)))")
      }
    case .inexpressible: break
    }
  }

  /// A comparison in one line, or in several if it is too long.
  private func compare(
    _ left: String, _ symbol: String, _ right: Argument, _ measure: ChainExpectation.Measure,
    to text: inout CodeText
  ) {
    let line = "#expect(\(left) \(symbol) \(right.line))"
    if line.count <= text.room { return text.add(line) }
    guard case .call = right else {
      return text.add(["#expect(", "  \(left)", "    \(symbol) \(right.line))"])
    }
    let type =
      switch measure {
      case .sectionTitles: "[Value]"
      case .indexTitles: "[String]"
      default: "Value"
      }
    text.block("do") { text in
      text.add(right, after: "let expected: \(type) = ")
      text.add("#expect(\(left) \(symbol) expected)")
    }
  }

  private static func path(_ path: IndexPath) -> String {
    "IndexPath(section: \(path.section), row: \(path.row))"
  }

  /// The expression of a measure, and the expected value of its type.
  private static func sides(
    _ measure: ChainExpectation.Measure, _ value: Value, of source: String
  ) -> (String, Argument) {
    let expected = LibraryLiteral.value(value)
    return switch measure {
    case .numberOfSections: ("\(source).numberOfSections", expected)
    case .numberOfObjects: ("\(source).numberOfObjects", expected)
    case .sectionTitles: ("try await \(source).sectionTitles()", expected)
    case .indexTitles: ("try await \(source).sectionIndexTitles()", expected)
    case .numberOfObjectsIn(let section):
      ("try \(source).numberOfObjects(inSection: \(section))", expected)
    case .title(let section): ("try await \(source).content.title(of: \(section))", expected)
    case .object(let path): ("try await \(source).object(at: \(Self.path(path)))", expected)
    case .value(let path, let key):
      (
        "try await value(\(SwiftLiteral.string(key.description)), at: \(Self.path(path)), "
          + "of: \(source))", expected
      )
    case .indexPath(let object):
      (indexPath(of: object, in: source), indexPath(value))
    }
  }

  /// A record matches the first object that has its values; another value, the first equal one.
  private static func indexPath(of object: Value, in source: String) -> String {
    guard case .record(let record) = object else {
      return "try await \(source).indexPath(for: \(LibraryLiteral.value(object).line))"
    }
    let pairs = zip(record.keys, record.values).map { key, value in
      "(\(SwiftLiteral.string(key)), \(LibraryLiteral.value(value).line))"
    }
    return "try await \(source).content.indexPath("
      + "matching: Record([\(pairs.joined(separator: ", "))]))"
  }

  private static func indexPath(_ value: Value) -> Argument {
    guard case .array(let numbers) = value, numbers.count == 2,
      case .integer(let section) = numbers[0], case .integer(let row) = numbers[1]
    else { return "nil" }
    return .text(path(IndexPath(section: section, row: row)))
  }

  /// Whether Swift's operator compares the measure as the session does.
  private static func isSwift(
    _ measure: ChainExpectation.Measure, _ operation: ComparisonOperator
  ) -> Bool {
    guard operation.options.isEmpty, operation.quantifier == nil else { return false }
    switch measure {
    case .numberOfSections, .numberOfObjects, .numberOfObjectsIn: return true
    default: return [.equal, .notEqual].contains(operation.kind)
    }
  }

  private static func symbol(_ operation: ComparisonOperator) -> String? {
    switch operation.kind {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      operation.kind.rawValue
    default: nil
    }
  }
}

extension ChainExpectation {
  fileprivate var readsValue: Bool {
    if case .comparison(.value, _, _) = content { true } else { false }
  }
}
