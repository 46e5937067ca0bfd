// abc: collated by name
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double?
  var sold: Date
}

struct AbcSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `abc`, and its sections.
enum Abc {
  static let foods: [Food] = [
    Food(name: "Pie", kind: "sweet", price: 2.5, sold: Date(timeIntervalSince1970: 1351814400)),
    Food(
      name: "Carrot",
      kind: "vegetable",
      price: 1,
      sold: Date(timeIntervalSince1970: 1354320000)
    ),
    Food(name: "Apple", kind: "fruit", price: nil, sold: Date(timeIntervalSince1970: 1353369600)),
    Food(name: "Banana", kind: "fruit", price: 1.25, sold: Date(timeIntervalSince1970: 1357344000)),
    Food(name: "Élan", kind: "sweet", price: 4, sold: Date(timeIntervalSince1970: 1357430400)),
  ]

  /// collated by name
  @MainActor
  static func sections(foods: [Food]) -> [AbcSection] {
    let collation = UILocalizedIndexedCollation.current()
    var sections = collation.sectionTitles.map { AbcSection(title: $0, foods: []) }
    let shown = foods.sorted(using: KeyPathComparator(\Food.name, comparator: .localizedStandard))
    for food in shown {
      let name = food.name as NSString
      let selector = #selector(getter: NSObjectProtocol.description)
      let place = collation.section(for: name, collationStringSelector: selector)
      sections[place].foods.append(food)
    }
    return sections
  }
}

final class AbcViewController: UITableViewController {
  private lazy var dataSource = AbcDataSource(tableView: tableView) {
    tableView, indexPath, item in
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let food = item.value
    var content = cell.defaultContentConfiguration()
    content.text = food.name
    content.secondaryText = food.kind
    cell.contentConfiguration = content
    return cell
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "abc"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Abc.sections(foods: Abc.foods), animated: false)
  }

  func show(_ sections: [AbcSection], animated: Bool = true) {
    dataSource.apply(AbcDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class AbcDataSource: UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<Food>> {
  static func snapshot(
    of sections: [AbcSection]
  ) -> NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Food>> {
    var snapshot = NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Food>>()
    var rows = sections.flatMap(\.foods).occurrences()[...]
    for (section, identifier) in zip(sections, sections.map(\.title).occurrences()) {
      snapshot.appendSections([identifier])
      snapshot.appendItems(Array(rows.prefix(section.foods.count)), toSection: identifier)
      rows = rows.dropFirst(section.foods.count)
    }
    return snapshot
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    snapshot().sectionIdentifiers[section].value
  }

  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    UILocalizedIndexedCollation.current().sectionIndexTitles
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    UILocalizedIndexedCollation.current().section(forSectionIndexTitle: index)
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

// The expectations of the session about abc.
// Add `@testable import` of the app, whose module this test is not part of.
final class AbcTests: XCTestCase {
  @MainActor
  func testSections() throws {
    let foods = Abc.foods
    _ = Abc.sections(foods: foods)
    // Not written: expect foods.numberOfObjects == 5 (it concerns another source than abc)
  }
}
