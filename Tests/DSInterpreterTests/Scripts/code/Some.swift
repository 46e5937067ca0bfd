// some: filtered by price BETWEEN [1, 3] or name LIKE "A*"
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double?
  var sold: Date
}

extension Food {
  /// `price BETWEEN [1, 3] or name LIKE "A*"`
  var isMatch: Bool {
    (price.map { 1 <= $0 && $0 <= 3 } ?? false)
      || name.range(of: "^(?s:A.*)\\z", options: .regularExpression) != nil
  }
}

struct SomeSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `some`, and its sections.
enum Some {
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

  /// filtered by price BETWEEN [1, 3] or name LIKE "A*"
  static func sections(foods: [Food]) -> [SomeSection] {
    let order = [
      KeyPathComparator(\Food.kind, comparator: ComparableComparator<String>(), order: .reverse),
      KeyPathComparator(\Food.price, order: .reverse),
      KeyPathComparator(\Food.name, comparator: .localizedStandard),
    ]
    var places: [String?: Int] = [:]
    var kinds: [SomeSection] = []
    let shown = foods.filter { food in food.kind != "x" }.sorted(using: order)
    for food in shown {
      let title = food.kind
      if let place = places[title] {
        kinds[place].foods.append(food)
      } else {
        places[title] = kinds.count
        kinds.append(SomeSection(title: title, foods: [food]))
      }
    }
    var sections = kinds
    for index in sections.indices {
      sections[index].foods.removeAll { !$0.isMatch }
    }
    sections.removeAll(where: \.foods.isEmpty)
    return sections
  }
}

final class SomeViewController: UITableViewController {
  private lazy var dataSource = SomeDataSource(tableView: tableView) {
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
    title = "some"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Some.sections(foods: Some.foods), animated: false)
  }

  func show(_ sections: [SomeSection], animated: Bool = true) {
    dataSource.apply(SomeDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class SomeDataSource: UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<Food>> {
  static func snapshot(
    of sections: [SomeSection]
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
    snapshot().sectionIdentifiers.map { $0.value?.prefix(1).uppercased() ?? "" }
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    index
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

// The expectations of the session about some.
// Add `@testable import` of the app, whose module this test is not part of.
final class SomeTests: XCTestCase {
  func testSections() throws {
    let foods = Some.foods
    let sections = Some.sections(foods: foods)
    // Not written: expect foods.numberOfObjects == 5 (it concerns another source than some)
    XCTAssertEqual(sections.map(\.title), ["vegetable", "sweet", "fruit"])
    XCTAssertEqual(sections[2].foods[1].name, "Apple")
  }
}
