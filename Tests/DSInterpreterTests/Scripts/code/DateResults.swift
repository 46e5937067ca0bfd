// date: sectioned by class, sorted by class, where class != "\"q\" \\(x) \\" and title != "??/ \\ .
// self.x %@"
import CoreData
import UIKit
import XCTest

@objc(DateRow)
final class DateRow: NSManagedObject {
  @NSManaged var classValue: String
  @NSManaged var aB: String
  @NSManaged var lineBreak: String
  @NSManaged var value: String
  @NSManaged var selfValue: Int64
  @NSManaged var whereValue: Bool
  @NSManaged var unitPrice: Double
  @NSManaged var title: String
  @NSManaged var descriptionValue: String
  @NSManaged var value2: String
  @NSManaged var context2: String
  @NSManaged var dateRow2: String
  @NSManaged var date: Date

  /// A model with the entity, for a store without a model file.
  static func makeModel() -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "DateRow"
    entity.managedObjectClassName = "DateRow"
    entity.properties = [
      attribute("classValue", .stringAttributeType),
      attribute("aB", .stringAttributeType),
      attribute("lineBreak", .stringAttributeType),
      attribute("value", .stringAttributeType),
      attribute("selfValue", .integer64AttributeType),
      attribute("whereValue", .booleanAttributeType),
      attribute("unitPrice", .doubleAttributeType),
      attribute("title", .stringAttributeType),
      attribute("descriptionValue", .stringAttributeType),
      attribute("value2", .stringAttributeType),
      attribute("context2", .stringAttributeType),
      attribute("dateRow2", .stringAttributeType),
      attribute("date", .dateAttributeType),
    ]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType, isOptional: Bool = false
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = isOptional
    return attribute
  }
}

extension DateRow {
  /// sectioned by class, sorted by class, where class != "\"q\" \\(x) \\" and title != "??/ \\ .
  /// self.x %@"
  static func dateRequest() -> NSFetchRequest<DateRow> {
    let request = NSFetchRequest<DateRow>(entityName: "DateRow")
    request.predicate = NSPredicate(
      format: "classValue != %@ AND title != %@",
      "\"q\" \\(x) \\",
      "??/ \\ self.x %@"
    )
    request.sortDescriptors = [NSSortDescriptor(key: "classValue", ascending: true)]
    return request
  }
}

final class DateViewController:
  UITableViewController, @preconcurrency NSFetchedResultsControllerDelegate
{
  private let results: NSFetchedResultsController<DateRow>
  private var failure: (any Error)?

  init(context: NSManagedObjectContext) {
    results = NSFetchedResultsController(
      fetchRequest: DateRow.dateRequest(),
      managedObjectContext: context,
      sectionNameKeyPath: #keyPath(DateRow.classValue),
      cacheName: nil
    )
    super.init(style: .plain)
    results.delegate = self
    title = "date"
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    nil
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    do {
      try results.performFetch()
    } catch {
      failure = error
    }
  }

  // No alert can be presented before the view appears.
  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    guard let error = failure else { return }
    failure = nil
    show(error)
  }

  private func show(_ error: any Error) {
    let message = error.localizedDescription
    let alert = UIAlertController(title: nil, message: message, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    present(alert, animated: true)
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    results.sections?.count ?? 0
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    results.sections?[section].numberOfObjects ?? 0
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let dateRow = results.object(at: indexPath)
    var content = cell.defaultContentConfiguration()
    content.text = dateRow.classValue
    content.secondaryText = dateRow.aB
    cell.contentConfiguration = content
    return cell
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    results.sections?[section].name
  }

  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    results.sectionIndexTitles
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    results.section(forSectionIndexTitle: title, at: index)
  }

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
}

// The expectations of the session about date.
// Add `@testable import` of the app, whose module this test is not part of.
final class DateTests: XCTestCase {
  func testResults() throws {
    let container = NSPersistentContainer(name: "Tests", managedObjectModel: DateRow.makeModel())
    container.persistentStoreDescriptions[0].url = URL(filePath: "/dev/null")
    container.loadPersistentStores { _, error in XCTAssertNil(error) }
    let context = container.viewContext
    insert(
      into: context,
      classValue: "say \"hi\"",
      aB: "\\(x) \\",
      lineBreak: "1\n2",
      value: "😀",
      selfValue: 1,
      whereValue: true,
      unitPrice: 2.5,
      title: "self.t",
      descriptionValue: "d",
      value2: "e",
      context2: "c",
      dateRow2: "f",
      date: Date(timeIntervalSince1970: 1577923200)
    )
    insert(
      into: context,
      classValue: "b",
      aB: "??/",
      lineBreak: "",
      value: "\"\"\"",
      selfValue: 2,
      whereValue: false,
      unitPrice: 3,
      title: "#",
      descriptionValue: "%@",
      value2: "*/",
      context2: "//",
      dateRow2: "@",
      date: Date(timeIntervalSince1970: 1578009600)
    )
    let results = NSFetchedResultsController(
      fetchRequest: DateRow.dateRequest(),
      managedObjectContext: context,
      sectionNameKeyPath: #keyPath(DateRow.classValue),
      cacheName: nil
    )
    try results.performFetch()
    XCTAssertEqual(results.object(at: [1, 0]).classValue, "say \"hi\"")
    XCTAssertEqual(results.object(at: [1, 0]).title, "self.t")
    XCTAssertEqual(results.sections?.map(\.name), ["b", "say \"hi\""])
    // Not written: expect all date where: class CONTAINS "\\" or class != "\n" or title != "*/"
    // (only the library can check it)
  }

  private func insert(
    into context: NSManagedObjectContext,
    classValue: String,
    aB: String,
    lineBreak: String,
    value: String,
    selfValue: Int64,
    whereValue: Bool,
    unitPrice: Double,
    title: String,
    descriptionValue: String,
    value2: String,
    context2: String,
    dateRow2: String,
    date: Date
  ) {
    let dateRow = DateRow(context: context)
    dateRow.classValue = classValue
    dateRow.aB = aB
    dateRow.lineBreak = lineBreak
    dateRow.value = value
    dateRow.selfValue = selfValue
    dateRow.whereValue = whereValue
    dateRow.unitPrice = unitPrice
    dateRow.title = title
    dateRow.descriptionValue = descriptionValue
    dateRow.value2 = value2
    dateRow.context2 = context2
    dateRow.dateRow2 = dateRow2
    dateRow.date = date
  }
}
