/// A `UITableViewDataSource` by hand.
enum TableViewTarget: CodeTarget {
  static let name = "tableView"
  static let summary = "UITableViewDataSource by hand"
  static let languages = CodeLanguage.allCases

  static func code(for request: CodeRequest) throws(CodeRefusal) -> GeneratedCode {
    if request.language == .objc {
      return try ObjectiveCScreen.code(for: request, isDiffable: false)
    }
    let content = try SwiftContent(request.chain)
    let text = try TableViewSwift(content: content).text()
    let tests = SwiftContentTests(content: content, expectations: request.expectations)
    return GeneratedCode(
      name: content.name + "ViewController", text: text, tests: try tests.text())
  }
}

/// A table view controller that is its own data source, in Swift.
struct TableViewSwift {
  let content: SwiftContent
  private var screen: SwiftScreen { SwiftScreen(content: content, isAnimated: false) }
  private var row: SwiftRow { content.row }

  func text() throws(CodeRefusal) -> String {
    var text = CodeText(step: 2)
    text.comment("\(content.rows.chain.top.name): \(content.rows.chain.top.summary)")
    text.add("import UIKit")
    text.separate()
    try content.add(to: &text)
    text.separate()
    text.block("final class \(screen.name): UITableViewController") { text in
      text.add("private var sections: [\(content.section)] = []")
      screen.add(stateTo: &text)
      text.separate()
      screen.add(viewDidLoadTo: &text)
      text.separate()
      text.block("func show(_ sections: [\(content.section)])") { text in
        text.add("self.sections = sections")
        text.add("tableView.reloadData()")
      }
      text.separate()
      text.block("override func numberOfSections(in tableView: UITableView) -> Int") {
        $0.add("sections.count")
      }
      text.separate()
      text.block(
        "override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int"
      ) { $0.add("sections[section].\(row.plural).count") }
      text.separate()
      text.block(
        """
        override func tableView(
          _ tableView: UITableView, cellForRowAt indexPath: IndexPath
        ) -> UITableViewCell {
        """
      ) { text in
        text.add(
          "let cell = tableView.dequeueReusableCell(withIdentifier: \"cell\", for: indexPath)")
        text.add("let \(row.variable) = sections[indexPath.section].\(row.plural)[indexPath.row]")
        text.add(screen.cell)
        text.add("return cell")
      }
      text.separate()
      text.block(
        """
        override func tableView(
          _ tableView: UITableView, titleForHeaderInSection section: Int
        ) -> String? {
        """
      ) { $0.add("sections[section].title") }
      screen.add(indexOf: "sections", titled: "$0.title", to: &text)
      screen.add(loaderTo: &text)
    }
    return text.text
  }
}

extension ObjectiveCScreen {
  static func code(
    for request: CodeRequest, isDiffable: Bool
  ) throws(CodeRefusal) -> GeneratedCode {
    let content = try ObjectiveCContent(request.chain)
    return GeneratedCode(
      name: content.name + "ViewController",
      text: ObjectiveCScreen(content: content, isDiffable: isDiffable).text,
      tests: content.tests(request.expectations).text)
  }
}
