/// A diffable data source.
enum DiffableTarget: CodeTarget {
  static let name = "diffable"
  static let summary = "UITableViewDiffableDataSource and NSDiffableDataSourceSnapshot"
  static let languages = CodeLanguage.allCases

  static func code(for request: CodeRequest) throws(CodeRefusal) -> GeneratedCode {
    if request.language == .objc {
      return try ObjectiveCScreen.code(for: request, isDiffable: true)
    }
    let content = try SwiftContent(request.chain)
    let text = try DiffableSwift(content).text()
    let tests = SwiftContentTests(content: content, expectations: request.expectations)
    return GeneratedCode(
      name: content.name + "ViewController", text: text, tests: try tests.text())
  }
}

/// A table view controller with a diffable data source, in Swift.
struct DiffableSwift {
  private let content: SwiftContent
  /// The property that identifies rows; nil if rows identify themselves.
  private let id: String?
  /// The type of the items of a snapshot.
  private let item: String

  init(_ content: SwiftContent) throws(CodeRefusal) {
    var content = content
    let identifier = try content.identifier()
    let row = content.row
    id = identifier?.text
    let type =
      try identifier.map { (id) throws(CodeRefusal) in
        try SwiftRow.type(of: id.shape, named: row.type, key: id.text)
      } ?? row.type
    item = "Occurrence<\(type)>"
    self.content = content
  }

  private var screen: SwiftScreen { SwiftScreen(content: content) }
  private var row: SwiftRow { content.row }

  private var dataSource: String { content.name + "DataSource" }
  /// The expression of the identifiers of all rows.
  private var identifiers: String {
    "sections.flatMap(\\.\(row.plural))\(id.map { ".map(\\.\($0))" } ?? "").occurrences()"
  }

  func text() throws(CodeRefusal) -> String {
    var text = CodeText(step: 2)
    text.comment("\(content.rows.chain.top.name): \(content.rows.chain.top.summary)")
    text.add("import UIKit")
    text.separate()
    try content.add(to: &text)
    text.separate()
    addController(to: &text)
    text.separate()
    addDataSource(to: &text)
    text.separate()
    text.add(Self.occurrences)
    return text.text
  }

  private func addController(to text: inout CodeText) {
    text.block("final class \(screen.name): UITableViewController") { text in
      text.block("private lazy var dataSource = \(dataSource)(tableView: tableView) {") { text in
        text.add("\(id == nil ? "" : "[weak self] ")tableView, indexPath, item in")
        text.add(
          "let cell = tableView.dequeueReusableCell(withIdentifier: \"cell\", for: indexPath)")
        text.add(
          id == nil
            ? "let \(row.variable) = item.value"
            : "guard let \(row.variable) = self?.rowForItem[item] else { return cell }")
        text.add(screen.cell)
        text.add("return cell")
      }
      if id != nil { text.add("private var rowForItem: [\(item): \(row.type)] = [:]") }
      screen.add(stateTo: &text)
      text.separate()
      screen.add(viewDidLoadTo: &text)
      text.separate()
      text.block("func show(_ sections: [\(content.section)], animated: Bool = true)") { text in
        guard id != nil else {
          return text.call(
            "dataSource.apply(",
            [.text("\(dataSource).snapshot(of: sections)"), "animatingDifferences: animated"])
        }
        text.add("var snapshot = \(dataSource).snapshot(of: sections)")
        text.add("let items = \(identifiers)")
        text.add("let old = rowForItem")
        text.add("let rows = zip(items, sections.flatMap(\\.\(row.plural)))")
        text.add("rowForItem = Dictionary(uniqueKeysWithValues: rows)")
        text.comment("The cells of rows that have changed are configured again.")
        text.add("let changed = items.filter { old[$0] != nil && old[$0] != rowForItem[$0] }")
        text.add("snapshot.reconfigureItems(changed)")
        text.add("dataSource.apply(snapshot, animatingDifferences: animated)")
      }
      screen.add(loaderTo: &text)
    }
  }

  private func addDataSource(to text: inout CodeText) {
    let types = "Occurrence<String?>, \(item)"
    let line = "final class \(dataSource): UITableViewDiffableDataSource<\(types)>"
    text.block(line.count + 2 <= text.room ? line : line.replacing(": ", with: ":\n  ") + "\n{") {
      text in
      text.block(
        "static func snapshot(\n  of sections: [\(content.section)]\n) -> NSDiffableDataSourceSnapshot<\(types)> {"
      ) { text in
        text.add("var snapshot = NSDiffableDataSourceSnapshot<\(types)>()")
        text.add("var rows = \(identifiers)[...]")
        text.block(
          "for (section, identifier) in zip(sections, sections.map(\\.title).occurrences())"
        ) { text in
          text.add("snapshot.appendSections([identifier])")
          text.call(
            "snapshot.appendItems(",
            [.text("Array(rows.prefix(section.\(row.plural).count))"), "toSection: identifier"])
          text.add("rows = rows.dropFirst(section.\(row.plural).count)")
        }
        text.add("return snapshot")
      }
      text.separate()
      text.block(
        """
        override func tableView(
          _ tableView: UITableView, titleForHeaderInSection section: Int
        ) -> String? {
        """
      ) { $0.add("snapshot().sectionIdentifiers[section].value") }
      screen.add(indexOf: "snapshot().sectionIdentifiers", titled: "$0.value", to: &text)
    }
  }

  private static let occurrences = """
    /// A value and its number among equal ones: a snapshot must not contain an identifier twice.
    struct Occurrence<Value: Hashable & Sendable>: Hashable, Sendable {
      var value: Value
      var number: Int
    }

    extension Sequence where Element: Hashable & Sendable {
      func occurrences() -> [Occurrence<Element>] {
        var counts: [Element: Int] = [:]
        return map { value in
          counts[value, default: 0] += 1
          return Occurrence(value: value, number: counts[value, default: 0])
        }
      }
    }
    """
}
