// The declarations of Core Data that generated code uses; see UIKit.swift.
import UIKit

public protocol NSFetchRequestResult: AnyObject {}

open class NSManagedObject: NSFetchRequestResult {
  public init(context: NSManagedObjectContext) {}
}

public final class NSManagedObjectContext {}

public final class NSManagedObjectModel {
  public init() {}
  public var entities: [NSEntityDescription] = []
}

public final class NSEntityDescription {
  public init() {}
  public var name: String?
  public var managedObjectClassName = ""
  public var properties: [NSAttributeDescription] = []
}

public enum NSAttributeType {
  case integer64AttributeType, decimalAttributeType, doubleAttributeType, stringAttributeType
  case booleanAttributeType, dateAttributeType, binaryDataAttributeType
}

public final class NSAttributeDescription {
  public init() {}
  public var name = ""
  public var attributeType = NSAttributeType.stringAttributeType
  public var isOptional = true
}

public final class NSPredicate {
  public init(format: String, _ arguments: Any...) {}
}

public final class NSSortDescriptor {
  public init(key: String?, ascending: Bool) {}
  public init(key: String?, ascending: Bool, selector: Selector?) {}
}

public final class NSFetchRequest<Result: NSFetchRequestResult> {
  public init(entityName: String) {}
  public var predicate: NSPredicate?
  public var sortDescriptors: [NSSortDescriptor]?
  public var fetchOffset = 0
  public var fetchLimit = 0
  public var fetchBatchSize = 0
}

public protocol NSFetchedResultsSectionInfo {
  var name: String { get }
  var numberOfObjects: Int { get }
}

public enum NSFetchedResultsChangeType: Sendable { case insert, delete, move, update }

/// Its methods are optional, and not isolated.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSManagedObject>)
  func controller(
    _ controller: NSFetchedResultsController<NSManagedObject>,
    didChange section: any NSFetchedResultsSectionInfo, atSectionIndex index: Int,
    for type: NSFetchedResultsChangeType)
  func controller(
    _ controller: NSFetchedResultsController<NSManagedObject>, didChange object: Any,
    at path: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSManagedObject>)
}

public final class NSFetchedResultsController<Result: NSFetchRequestResult> {
  public init(
    fetchRequest: NSFetchRequest<Result>, managedObjectContext: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName: String?
  ) {}
  public weak var delegate: (any NSFetchedResultsControllerDelegate)?
  public var sections: [any NSFetchedResultsSectionInfo]?
  public var fetchedObjects: [Result]?
  public var sectionIndexTitles: [String] = []
  public func performFetch() throws {}
  public func object(at path: IndexPath) -> Result { fatalError("a stub") }
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int { index }
}

public final class NSPersistentStoreDescription {
  public var url: URL?
}

public final class NSPersistentContainer {
  public init(name: String, managedObjectModel: NSManagedObjectModel) {}
  public var persistentStoreDescriptions = [NSPersistentStoreDescription()]
  public let viewContext = NSManagedObjectContext()
  public func loadPersistentStores(
    _ completion: (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {}
}
