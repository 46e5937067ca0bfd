// The declarations of UIKit that generated code uses, with which the compiler checks it without UIKit.
@_exported import Foundation
@_exported import FoundationNetworking

@MainActor open class UIView {}
@MainActor public final class UIImage {}

public struct UIListContentConfiguration {
  public var text: String?
  public var secondaryText: String?
}

@MainActor open class UITableViewCell: UIView {
  public func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
  public var contentConfiguration: UIListContentConfiguration?
}

extension IndexPath {
  public init(row: Int, section: Int) { self = [section, row] }
  public var row: Int { self[1] }
  public var section: Int { self[0] }
}

@MainActor open class UITableView: UIView {
  public enum RowAnimation: Sendable { case automatic, fade }
  public enum Style: Sendable { case plain, grouped }
  public var numberOfSections: Int { 0 }
  public func numberOfRows(inSection section: Int) -> Int { 0 }
  public func register(_ type: AnyClass?, forCellReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell { UITableViewCell() }
  public func reloadData() {}
  public func beginUpdates() {}
  public func endUpdates() {}
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
  public func insertRows(at paths: [IndexPath], with animation: RowAnimation) {}
  public func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {}
  public func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {}
  public func moveRow(at path: IndexPath, to new: IndexPath) {}
}

@MainActor open class UIViewController {
  public var title: String?
  public init() {}
  open func viewDidLoad() {}
  open func viewDidAppear(_ animated: Bool) {}
  public func present(_ controller: UIViewController, animated: Bool) {}
}

public struct UIAlertAction {
  public enum Style: Sendable { case `default` }
  public init(title: String?, style: Style) {}
}

@MainActor public final class UIAlertController: UIViewController {
  public enum Style: Sendable { case alert }
  public convenience init(title: String?, message: String?, preferredStyle: Style) { self.init() }
  public func addAction(_ action: UIAlertAction) {}
}

@MainActor open class UITableViewController: UIViewController {
  public override init() {}
  public init(style: UITableView.Style) { super.init() }
  public required init?(coder: NSCoder) { nil }
  public let tableView = UITableView()
  open func numberOfSections(in tableView: UITableView) -> Int { 1 }
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  open func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell { UITableViewCell() }
  open func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? { nil }
  open func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }
  open func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int { index }
  open func tableView(
    _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {}
}

public struct NSDiffableDataSourceSnapshot<
  Section: Hashable & Sendable, Item: Hashable & Sendable
>: Sendable {
  public private(set) var sectionIdentifiers: [Section] = []
  private var items: [Section: [Item]] = [:]
  public init() {}
  public mutating func appendSections(_ sections: [Section]) {
    sectionIdentifiers += sections
  }
  public mutating func appendItems(_ new: [Item], toSection section: Section? = nil) {
    guard let section = section ?? sectionIdentifiers.last else { return }
    items[section, default: []] += new
  }
  public mutating func reconfigureItems(_ items: [Item]) {}
}

@MainActor
open class UITableViewDiffableDataSource<
  Section: Hashable & Sendable, Item: Hashable & Sendable
> {
  public typealias CellProvider = (UITableView, IndexPath, Item) -> UITableViewCell?
  private var current = NSDiffableDataSourceSnapshot<Section, Item>()
  public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}
  public func snapshot() -> NSDiffableDataSourceSnapshot<Section, Item> { current }
  public func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animatingDifferences: Bool = true
  ) { current = snapshot }
  public func itemIdentifier(for indexPath: IndexPath) -> Item? { nil }
  open func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? { nil }
  open func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }
  open func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int { index }
}

public struct Selector {
  public init(_ name: String) {}
}

@MainActor public final class UILocalizedIndexedCollation {
  public static func current() -> UILocalizedIndexedCollation { UILocalizedIndexedCollation() }
  public var sectionTitles: [String] { [] }
  public var sectionIndexTitles: [String] { [] }
  public func section(forSectionIndexTitle index: Int) -> Int { index }
  public func section(for object: Any, collationStringSelector selector: Selector) -> Int { 0 }
}

extension String.Comparator {
  /// Apple's systems have this initializer, with the locale of the user as the default.
  public init(options: String.CompareOptions, locale: Locale?, order: SortOrder = .forward) {
    self.init(options: options, order: order)
  }
}

/// The comparators of Foundation that only Apple's systems have.
public struct StandardStringComparator: SortComparator {
  public var order = SortOrder.forward
  public func compare(_ left: String, _ right: String) -> ComparisonResult {
    let result = left.localizedStandardCompare(right)
    return order == .forward ? result : ComparisonResult(rawValue: -result.rawValue) ?? result
  }
}

extension SortComparator where Self == StandardStringComparator {
  public static var localizedStandard: StandardStringComparator { StandardStringComparator() }
  public static var localized: StandardStringComparator { StandardStringComparator() }
}

/// The order of strings without a comparator on Apple's systems.
extension KeyPathComparator {
  public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
    self.init(keyPath, comparator: .localizedStandard, order: order)
  }

  public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
    self.init(keyPath, comparator: .localizedStandard, order: order)
  }
}
