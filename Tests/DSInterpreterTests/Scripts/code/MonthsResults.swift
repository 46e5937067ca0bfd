// months: sectioned by sold, month, sorted by sold, name
import CoreData
import UIKit
import XCTest

@objc(Food)
final class Food: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var kind: String
  @NSManaged var price: NSNumber?
  @NSManaged var sold: Date

  /// A model with the entity, for a store without a model file.
  static func makeModel() -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Food"
    entity.managedObjectClassName = "Food"
    entity.properties = [
      attribute("name", .stringAttributeType),
      attribute("kind", .stringAttributeType),
      attribute("price", .doubleAttributeType, isOptional: true),
      attribute("sold", .dateAttributeType),
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

extension Food {
  /// sectioned by sold, month, sorted by sold, name
  static func monthsRequest() -> NSFetchRequest<Food> {
    let request = NSFetchRequest<Food>(entityName: "Food")
    request.sortDescriptors = [
      NSSortDescriptor(key: "sold", ascending: true),
      NSSortDescriptor(key: "name", ascending: true),
    ]
    return request
  }

  /// The name of the section, which the controller reads by its key.
  @objc var foodSection: String {
    Self.sectionFormatter.string(from: sold)
  }

  private static let sectionFormatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.calendar = Calendar(identifier: .iso8601)
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyy-MM"
    return formatter
  }()
}

final class MonthsViewController:
  UITableViewController, @preconcurrency NSFetchedResultsControllerDelegate
{
  private let results: NSFetchedResultsController<Food>
  private var failure: (any Error)?

  init(context: NSManagedObjectContext) {
    results = NSFetchedResultsController(
      fetchRequest: Food.monthsRequest(),
      managedObjectContext: context,
      sectionNameKeyPath: #keyPath(Food.foodSection),
      cacheName: nil
    )
    super.init(style: .plain)
    results.delegate = self
    title = "months"
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
    let food = results.object(at: indexPath)
    var content = cell.defaultContentConfiguration()
    content.text = food.name
    content.secondaryText = food.kind
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

// The expectations of the session about months.
// Add `@testable import` of the app, whose module this test is not part of.
final class MonthsTests: XCTestCase {
  func testResults() throws {
    let container = NSPersistentContainer(name: "Tests", managedObjectModel: Food.makeModel())
    container.persistentStoreDescriptions[0].url = URL(filePath: "/dev/null")
    container.loadPersistentStores { _, error in XCTAssertNil(error) }
    let context = container.viewContext
    insert(
      into: context,
      name: "Pie",
      kind: "sweet",
      price: 2.5,
      sold: Date(timeIntervalSince1970: 1351814400)
    )
    insert(
      into: context,
      name: "Carrot",
      kind: "vegetable",
      price: 1,
      sold: Date(timeIntervalSince1970: 1354320000)
    )
    insert(
      into: context,
      name: "Apple",
      kind: "fruit",
      price: nil,
      sold: Date(timeIntervalSince1970: 1353369600)
    )
    insert(
      into: context,
      name: "Banana",
      kind: "fruit",
      price: 1.25,
      sold: Date(timeIntervalSince1970: 1357344000)
    )
    insert(
      into: context,
      name: "Élan",
      kind: "sweet",
      price: 4,
      sold: Date(timeIntervalSince1970: 1357430400)
    )
    let results = NSFetchedResultsController(
      fetchRequest: Food.monthsRequest(),
      managedObjectContext: context,
      sectionNameKeyPath: #keyPath(Food.foodSection),
      cacheName: nil
    )
    try results.performFetch()
    // Not written: expect foods.numberOfObjects == 5 (it concerns another source)
  }

  private func insert(
    into context: NSManagedObjectContext,
    name: String,
    kind: String,
    price: NSNumber?,
    sold: Date
  ) {
    let food = Food(context: context)
    food.name = name
    food.kind = kind
    food.price = price
    food.sold = sold
  }
}
