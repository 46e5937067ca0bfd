// planets: fetchedResults sorted by planet.order, radius desc, sectioned by planet.name
import CoreData
import UIKit
import XCTest

@objc(Moon)
final class Moon: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var radius: Double
  @NSManaged var planetOrder: Int64
  @NSManaged var planetName: String
  // planetOrder has the value of `planet.order`.
  // planetName has the value of `planet.name`.
  // Not attributes, but relationships or transformed values: planet.

  /// A model with the entity, for a store without a model file.
  static func makeModel() -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Moon"
    entity.managedObjectClassName = "Moon"
    entity.properties = [
      attribute("name", .stringAttributeType),
      attribute("radius", .doubleAttributeType),
      attribute("planetOrder", .integer64AttributeType),
      attribute("planetName", .stringAttributeType),
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

extension Moon {
  /// fetchedResults sorted by planet.order, radius desc, sectioned by planet.name
  /// The order by `planet.order` must keep the rows with the same `planet.name` together, as it
  /// does in the session; the controller fails otherwise.
  static func planetsRequest() -> NSFetchRequest<Moon> {
    let request = NSFetchRequest<Moon>(entityName: "Moon")
    request.sortDescriptors = [
      NSSortDescriptor(key: "planetOrder", ascending: true),
      NSSortDescriptor(key: "radius", ascending: false),
    ]
    return request
  }
}

final class PlanetsViewController:
  UITableViewController, @preconcurrency NSFetchedResultsControllerDelegate
{
  private let results: NSFetchedResultsController<Moon>
  private var failure: (any Error)?

  init(context: NSManagedObjectContext) {
    results = NSFetchedResultsController(
      fetchRequest: Moon.planetsRequest(),
      managedObjectContext: context,
      sectionNameKeyPath: #keyPath(Moon.planetName),
      cacheName: nil
    )
    super.init(style: .plain)
    results.delegate = self
    title = "planets"
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
    let moon = results.object(at: indexPath)
    var content = cell.defaultContentConfiguration()
    content.text = moon.name
    content.secondaryText = "\(moon.radius)"
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

// The expectations of the session about planets.
// Add `@testable import` of the app, whose module this test is not part of.
final class PlanetsTests: XCTestCase {
  func testResults() throws {
    let container = NSPersistentContainer(name: "Tests", managedObjectModel: Moon.makeModel())
    container.persistentStoreDescriptions[0].url = URL(filePath: "/dev/null")
    container.loadPersistentStores { _, error in XCTAssertNil(error) }
    let context = container.viewContext
    insert(into: context, name: "Io", radius: 1821.6, planetOrder: 5, planetName: "Jupiter")
    insert(into: context, name: "Moon", radius: 1737.4, planetOrder: 3, planetName: "Earth")
    insert(into: context, name: "Europa", radius: 1560.8, planetOrder: 5, planetName: "Jupiter")
    let results = NSFetchedResultsController(
      fetchRequest: Moon.planetsRequest(),
      managedObjectContext: context,
      sectionNameKeyPath: #keyPath(Moon.planetName),
      cacheName: nil
    )
    try results.performFetch()
    XCTAssertEqual(results.sections?.map(\.name), ["Earth", "Jupiter"])
  }

  private func insert(
    into context: NSManagedObjectContext,
    name: String,
    radius: Double,
    planetOrder: Int64,
    planetName: String
  ) {
    let moon = Moon(context: context)
    moon.name = name
    moon.radius = radius
    moon.planetOrder = planetOrder
    moon.planetName = planetName
  }
}
