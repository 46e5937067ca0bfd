import DataSources
import DataTables

/// The parts of a table view controller that all targets in Swift share.
struct SwiftScreen {
  let content: SwiftContent
  /// Whether `show` has a parameter `animated:`.
  var isAnimated = true

  var name: String { content.name + "ViewController" }
  private var row: SwiftRow { content.row }

  /// The statements that show a row in a cell.
  var cell: [String] {
    var lines = ["var content = cell.defaultContentConfiguration()"]
    let fields = row.shape.fields.filter { $0.shape.isShown }
    if row.shape.fields.isEmpty {
      lines.append("content.text = \(text(row.variable, row.shape))")
    }
    for (label, field) in zip(["text", "secondaryText"], fields) {
      let property = "\(row.variable).\(row.name(of: field.key))"
      lines.append("content.\(label) = \(text(property, field.shape))")
    }
    return lines + ["cell.contentConfiguration = content"]
  }

  private func text(_ value: String, _ shape: ValueShape) -> String {
    switch (shape.kind, shape.isOptional) {
    case (.string, _): value
    case (.date, true): "\(value)?.formatted()"
    case (.date, false): "\(value).formatted()"
    case (_, true): "\(value).map { \"\\($0)\" }"
    case (_, false): "\"\\(\(value))\""
    }
  }

  /// The methods of the section index, if the session has one that they can make.
  ///
  /// - Parameters:
  ///   - sections: the expression of the sections.
  ///   - title: the title of one of them.
  func add(indexOf sections: String, titled title: String, to text: inout CodeText) {
    if let comment = content.rows.indexComment(madeTitles: [.firstCharacter, .initials]) {
      text.separate()
      text.comment(comment)
    }
    guard let titles = indexTitles(of: sections, titled: title) else { return }
    text.separate()
    text.block("override func sectionIndexTitles(for tableView: UITableView) -> [String]?") {
      $0.add(titles)
    }
    text.separate()
    text.block(
      """
      override func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
      ) -> Int {
      """
    ) { addSection(of: sections, titled: title, to: &$0) }
  }

  /// The titles of the index, as an expression; nil without an index that code can make.
  private func indexTitles(of sections: String, titled title: String) -> String? {
    let rows = content.rows
    guard rows.hasSections, let titles = rows.indexTitles else { return nil }
    switch titles {
    case .firstCharacter where rows.collation != nil:
      return "\(Self.collation).sectionIndexTitles"
    case .firstCharacter:
      return "\(sections).map { \(title)?.prefix(1).uppercased() ?? \"\" }"
    case .initials:
      let words = "(\(title) ?? \"\").split(separator: \" \")"
      return "\(sections).map { \(words).map { $0.prefix(1).uppercased() }.joined() }"
    case .list(let list) where !rows.hidesTitledSections:
      return "[\(list.map(SwiftLiteral.string).joined(separator: ", "))]"
    case .keyPath, .list: return nil
    }
  }

  private static let collation = "UILocalizedIndexedCollation.current()"

  /// The statements that return the section of an index title.
  private func addSection(of sections: String, titled title: String, to text: inout CodeText) {
    let isList = if case .list = content.rows.indexTitles { true } else { false }
    switch (content.rows.collation, isList) {
    case (.all?, false) where content.rows.indexTitles == .firstCharacter:
      text.add("\(Self.collation).section(forSectionIndexTitle: index)")
    case (.shown?, _) where isList || content.rows.indexTitles == .firstCharacter:
      text.add("let collation = \(Self.collation)")
      text.add(
        isList
          ? "let place = min(index, collation.sectionTitles.count - 1)"
          : "let place = collation.section(forSectionIndexTitle: index)")
      text.comment("The title of a hidden section leads to the nearest section before it.")
      text.add("let titles = collation.sectionTitles[...place]")
      text.add("let shown = \(sections).map { \(title) ?? \"\" }")
      text.add("return shown.lastIndex(where: titles.contains) ?? 0")
    // Further titles lead to the last section.
    case (_, true): text.add("min(index, \(sections).count - 1)")
    default: text.add("index")
    }
  }

  /// Whether all rows are in the code.
  var isLiteral: Bool {
    content.parameters.allSatisfy {
      SwiftData(source: $0.source, name: $0.name, row: row).isLiteral
    }
  }

  /// The property with the pages that were loaded, for rows that arrive in pages.
  var paging: Paging? {
    for parameter in content.parameters {
      if case .remote(let remote) = parameter.source.form, let paging = remote.paging {
        return paging
      }
    }
    return nil
  }

  func add(viewDidLoadTo text: inout CodeText) {
    text.block("override func viewDidLoad()") { text in
      text.add("super.viewDidLoad()")
      text.add("title = \(SwiftLiteral.string(content.rows.chain.top.name))")
      text.add("tableView.register(UITableViewCell.self, forCellReuseIdentifier: \"cell\")")
      guard isLiteral else { return text.add("load()") }
      let list = content.parameters.map { "\($0.name): \(content.name).\($0.name)" }
      text.call(
        "show(",
        [.call("\(content.name).sections(", list.map { .text($0) })]
          + (isAnimated ? ["animated: false"] : []))
    }
  }

  /// The method that shows an error.
  static let alert = """
    private func show(_ error: any Error) {
      let message = error.localizedDescription
      let alert = UIAlertController(title: nil, message: message, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: "OK", style: .default))
      present(alert, animated: true)
    }
    """

  /// The function that loads rows, for rows that are not in the code.
  func add(loaderTo text: inout CodeText) {
    guard !isLiteral else { return }
    text.separate()
    text.block("private func load()") { text in
      // Before the task begins, so that the next row that appears does not request the same page.
      if paging != nil { text.add("isLoading = true") }
      text.block("Task") { text in
        if paging != nil { text.add("defer { isLoading = false }") }
        text.block("do") { text in
          for parameter in content.parameters { add(parameter, to: &text) }
          let list = content.parameters.map { "\($0.name): \($0.name)" }
          text.call(
            "show(", [.call("\(content.name).sections(", list.map { .text($0) })])
        }
        text.replaceLast("}", with: "} catch {")
        text.indented { $0.add("show(error)") }
        text.add("}")
      }
    }
    text.separate()
    text.add(Self.alert)
    guard paging != nil else { return }
    text.separate()
    text.comment("Requests the next page when the last row appears.", sign: "///")
    text.block(
      """
      override func tableView(
        _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
      ) {
      """
    ) { text in
      text.add("let isLast =")
      text.add("  indexPath.section == tableView.numberOfSections - 1")
      text.add("  && indexPath.row == tableView.numberOfRows(inSection: indexPath.section) - 1")
      text.add("if isLast, hasMorePages, !isLoading { load() }")
    }
  }

  private func add(
    _ parameter: (source: ChainSource, name: String), to text: inout CodeText
  ) {
    let data = SwiftData(source: parameter.source, name: parameter.name, row: row)
    switch parameter.source.form {
    case _ where data.isLiteral:
      text.add("let \(parameter.name) = \(content.name).\(parameter.name)")
    case .remote(let remote):
      guard let paging = remote.paging else {
        text.add("let \(parameter.name) = try await \(content.name).\(data.loader)()")
        return
      }
      let page = paging.style == .offset ? "offset" : "page"
      text.add("let new = try await \(content.name).\(data.loader)(\(page): \(page))")
      text.add("hasMorePages = !new.isEmpty")
      text.add("\(row.plural) += new")
      // A page that failed is requested again.
      text.add(paging.style == .offset ? "offset = \(row.plural).count" : "page += 1")
      if parameter.name != row.plural { text.add("let \(parameter.name) = \(row.plural)") }
    default:
      text.add(
        "guard let url = Bundle.main.url(forResource: \(SwiftLiteral.string(data.resource)), "
          + "withExtension: \"json\")")
      text.add("else { throw CocoaError(.fileNoSuchFile) }")
      text.add("let \(parameter.name) = try \(content.name).\(data.loader)(from: url)")
    }
  }

  /// The state of pages.
  func add(stateTo text: inout CodeText) {
    guard let paging else { return }
    text.separate()
    text.add("private var \(row.plural): [\(row.type)] = []")
    text.add(
      paging.style == .offset
        ? "private var offset = 0" : "private var page = \(paging.firstPage)")
    text.add("private var hasMorePages = true")
    text.add("private var isLoading = false")
  }
}

extension ValueShape {
  /// Whether a cell can show the value as a text.
  fileprivate var isShown: Bool {
    switch kind {
    case .nothing, .bool, .integer, .double, .decimal, .string, .date: true
    case .data, .array, .record, .mixed: false
    }
  }
}
