// menu: multi
import UIKit
import XCTest

struct Row: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double?
  var sold: Date?
}

struct MenuSection: Hashable {
  var title: String?
  var rows: [Row]
}

/// The rows of `menu`, and its sections.
enum Menu {
  static let foods: [Row] = [
    Row(name: "Pie", kind: "sweet", price: 2.5, sold: Date(timeIntervalSince1970: 1351814400)),
    Row(name: "Carrot", kind: "vegetable", price: 1, sold: Date(timeIntervalSince1970: 1354320000)),
    Row(name: "Apple", kind: "fruit", price: nil, sold: Date(timeIntervalSince1970: 1353369600)),
    Row(name: "Banana", kind: "fruit", price: 1.25, sold: Date(timeIntervalSince1970: 1357344000)),
    Row(name: "Élan", kind: "sweet", price: 4, sold: Date(timeIntervalSince1970: 1357430400)),
  ]

  static let drinks: [Row] = [Row(name: "Tea", kind: "hot", price: nil, sold: nil)]

  /// multi
  static func sections(foods: [Row], drinks: [Row]) -> [MenuSection] {
    let sections = [
      MenuSection(title: "", rows: foods),
      MenuSection(title: "Drinks", rows: drinks),
    ]
    return sections
  }
}

final class MenuViewController: UITableViewController {
  private lazy var dataSource = MenuDataSource(tableView: tableView) {
    tableView, indexPath, item in
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let row = item.value
    var content = cell.defaultContentConfiguration()
    content.text = row.name
    content.secondaryText = row.kind
    cell.contentConfiguration = content
    return cell
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "menu"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Menu.sections(foods: Menu.foods, drinks: Menu.drinks), animated: false)
  }

  func show(_ sections: [MenuSection], animated: Bool = true) {
    dataSource.apply(MenuDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class MenuDataSource: UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<Row>> {
  static func snapshot(
    of sections: [MenuSection]
  ) -> NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Row>> {
    var snapshot = NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Row>>()
    var rows = sections.flatMap(\.rows).occurrences()[...]
    for (section, identifier) in zip(sections, sections.map(\.title).occurrences()) {
      snapshot.appendSections([identifier])
      snapshot.appendItems(Array(rows.prefix(section.rows.count)), toSection: identifier)
      rows = rows.dropFirst(section.rows.count)
    }
    return snapshot
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    snapshot().sectionIdentifiers[section].value
  }
}

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

// The expectations of the session about menu.
// Add `@testable import` of the app, whose module this test is not part of.
final class MenuTests: XCTestCase {
  func testSections() throws {
    let foods = Menu.foods
    let drinks = Menu.drinks
    _ = Menu.sections(foods: foods, drinks: drinks)
    // Not written: expect foods.numberOfObjects == 5 (it concerns another source than menu)
  }
}
