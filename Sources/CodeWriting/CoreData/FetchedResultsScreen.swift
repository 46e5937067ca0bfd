import DataSources
import DataTables

/// The table view controller over a fetched results controller, in Swift.
struct FetchedResultsScreen {
  let code: FetchedResultsSwift

  func add(to text: inout CodeText) {
    // The delegate is called on the queue of the context, which is the main queue.
    text.block(
      "final class \(code.name)ViewController:\n  UITableViewController, "
        + "@preconcurrency NSFetchedResultsControllerDelegate\n{"
    ) { text in
      text.add("private let results: NSFetchedResultsController<\(code.entity.name)>")
      text.add("private var failure: (any Error)?")
      text.separate()
      text.block("init(context: NSManagedObjectContext)") { text in
        text.call(
          "results = NSFetchedResultsController(",
          [
            .text("fetchRequest: \(code.entity.name).\(code.requestName)()"),
            "managedObjectContext: context", .text("sectionNameKeyPath: \(code.sectionKey)"),
            .text("cacheName: \(code.form.cacheName.map(SwiftLiteral.string) ?? "nil")"),
          ])
        text.add("super.init(style: .plain)")
        text.add("results.delegate = self")
        text.add("title = \(SwiftLiteral.string(code.chain.top.name))")
      }
      text.separate()
      text.add("@available(*, unavailable)")
      text.block("required init?(coder: NSCoder)") { $0.add("nil") }
      text.separate()
      text.block("override func viewDidLoad()") { text in
        text.add("super.viewDidLoad()")
        text.add("tableView.register(UITableViewCell.self, forCellReuseIdentifier: \"cell\")")
        text.block("do") { $0.add("try results.performFetch()") }
        text.replaceLast("}", with: "} catch {")
        text.indented { $0.add("failure = error") }
        text.add("}")
      }
      text.separate()
      text.add(Self.failure)
      text.separate()
      text.add(SwiftScreen.alert)
      text.separate()
      addDataSource(to: &text)
      text.separate()
      text.add(Self.delegate)
    }
  }

  private func addDataSource(to text: inout CodeText) {
    text.block("override func numberOfSections(in tableView: UITableView) -> Int") {
      $0.add("results.sections?.count ?? 0")
    }
    text.separate()
    text.block(
      "override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int"
    ) { $0.add("results.sections?[section].numberOfObjects ?? 0") }
    text.separate()
    text.block(
      """
      override func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
      ) -> UITableViewCell {
      """
    ) { text in
      text.add("let cell = tableView.dequeueReusableCell(withIdentifier: \"cell\", for: indexPath)")
      text.add("let \(code.entity.variable) = results.object(at: indexPath)")
      text.add("var content = cell.defaultContentConfiguration()")
      for (label, attribute) in zip(["text", "secondaryText"], code.entity.attributes) {
        text.add("content.\(label) = \(shown(attribute))")
      }
      text.add("cell.contentConfiguration = content")
      text.add("return cell")
    }
    guard code.section != nil else { return }
    text.separate()
    text.block(
      """
      override func tableView(
        _ tableView: UITableView, titleForHeaderInSection section: Int
      ) -> String? {
      """
    ) { $0.add("results.sections?[section].name") }
    text.separate()
    text.block("override func sectionIndexTitles(for tableView: UITableView) -> [String]?") {
      $0.add(
        indexList.map { "[\($0.map(SwiftLiteral.string).joined(separator: ", "))]" }
          ?? "results.sectionIndexTitles")
    }
    text.separate()
    text.block(
      """
      override func tableView(
        _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
      ) -> Int {
      """
    ) {
      // Further titles lead to the last section.
      $0.add(
        indexList == nil
          ? "results.section(forSectionIndexTitle: title, at: index)"
          : "min(index, (results.sections?.count ?? 1) - 1)")
    }
    if case .keyPath(let path) = code.form.indexTitles {
      text.separate()
      text.comment("The session's index titles are `\(path)` of the first row of each section.")
    }
    if let titles = code.form.indexTitles, titles == .initials {
      text.separate()
      text.block(
        """
        func controller(
          _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
          sectionIndexTitleForSectionName name: String
        ) -> String? {
        """
      ) { $0.add("name.split(separator: \" \").map { $0.prefix(1).uppercased() }.joined()") }
    }
  }

  /// Index titles that the session lists.
  private var indexList: [String]? {
    if case .list(let titles) = code.form.indexTitles { titles } else { nil }
  }

  private func shown(_ attribute: ManagedEntity.Attribute) -> String {
    let value = "\(code.entity.variable).\(attribute.property)"
    let mark = attribute.shape.isOptional ? "?" : ""
    return switch attribute.shape.kind {
    case .string, .nothing: value
    case .date: "\(value)\(mark).formatted()"
    case .data: "\(value)\(mark).description"
    default: attribute.shape.isOptional ? "\(value)?.stringValue" : "\"\\(\(value))\""
    }
  }

  /// The method that shows the error of the first fetch.
  private static let failure = """
    // No alert can be presented before the view appears.
    override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      guard let error = failure else { return }
      failure = nil
      show(error)
    }
    """

  /// The changes of the store as one batch of updates.
  private static let delegate = """
    func controllerWillChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
      tableView.beginUpdates()
    }

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      didChange section: any NSFetchedResultsSectionInfo, atSectionIndex index: Int,
      for type: NSFetchedResultsChangeType
    ) {
      switch type {
      case .insert: tableView.insertSections([index], with: .automatic)
      case .delete: tableView.deleteSections([index], with: .automatic)
      default: break
      }
    }

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange object: Any,
      at path: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      switch (type, path, newIndexPath) {
      case (.insert, _, let new?): tableView.insertRows(at: [new], with: .automatic)
      case (.delete, let old?, _): tableView.deleteRows(at: [old], with: .automatic)
      case (.update, let old?, _): tableView.reloadRows(at: [old], with: .automatic)
      case (.move, let old?, let new?):
        // The section of the old row may have been deleted, so the row cannot be moved.
        tableView.deleteRows(at: [old], with: .automatic)
        tableView.insertRows(at: [new], with: .automatic)
      default: break
      }
    }

    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
      tableView.endUpdates()
    }
    """
}
