// letters: sectioned by name.firstCharacter, sorted by name
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double?
  var sold: Date
}

extension Food {
  /// `name.firstCharacter`
  var nameFirstCharacter: String? { name.first.map { String($0) } }
}

struct LettersSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `letters`, and its sections.
enum Letters {
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

  /// sectioned by name.firstCharacter, sorted by name
  static func sections(foods: [Food]) -> [LettersSection] {
    let order = KeyPathComparator(\Food.name, comparator: ComparableComparator<String>())
    var sections: [LettersSection] = []
    for food in foods.sorted(using: order) {
      let title = food.nameFirstCharacter
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].foods.append(food)
      } else {
        sections.append(LettersSection(title: title, foods: [food]))
      }
    }
    return sections
  }
}

final class LettersViewController: UITableViewController {
  private lazy var dataSource = LettersDataSource(tableView: tableView) {
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
    title = "letters"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Letters.sections(foods: Letters.foods), animated: false)
  }

  func show(_ sections: [LettersSection], animated: Bool = true) {
    dataSource.apply(LettersDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class LettersDataSource:
  UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<Food>>
{
  static func snapshot(
    of sections: [LettersSection]
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

// The expectations of the session about letters.
// Add `@testable import` of the app, whose module this test is not part of.
final class LettersTests: XCTestCase {
  func testSections() throws {
    let foods = Letters.foods
    let sections = Letters.sections(foods: foods)
    XCTAssertEqual(sections.count, 5)
    XCTAssertEqual(sections.map(\.title), ["A", "B", "C", "P", "É"])
    XCTAssertNil(sections[0].foods[0].price)
    XCTAssertTrue(
      sections.flatMap(\.foods).allSatisfy { food in
        food.price == nil
          || (food.price.map { $0 >= 1 } ?? false)
      })
    XCTAssertFalse(
      sections.flatMap(\.foods).contains { food in
        food.kind.range(of: "M", options: .caseInsensitive) != nil
      })
    let values = sections.flatMap(\.foods).map(\.name)
    XCTAssertEqual(Set(values).count, values.count)
    // Not written: expect foods.numberOfObjects == 5 (it concerns another source than letters)
  }
}
