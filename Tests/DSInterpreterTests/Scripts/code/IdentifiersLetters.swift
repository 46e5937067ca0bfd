// letters: sectioned by name, sorted by name
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var code: Int
  var name: String
}

struct LettersSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `letters`, and its sections.
enum Letters {
  static let foods: [Food] = [Food(code: 1, name: "Pie"), Food(code: 2, name: "Apple")]

  /// sectioned by name, sorted by name
  static func sections(foods: [Food]) -> [LettersSection] {
    let order = KeyPathComparator(\Food.name, comparator: ComparableComparator<String>())
    var sections: [LettersSection] = []
    for food in foods.sorted(using: order) {
      let title = food.name
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
    [weak self] tableView, indexPath, item in
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    guard let food = self?.rowForItem[item] else { return cell }
    var content = cell.defaultContentConfiguration()
    content.text = "\(food.code)"
    content.secondaryText = food.name
    cell.contentConfiguration = content
    return cell
  }
  private var rowForItem: [Occurrence<Int>: Food] = [:]

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "letters"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Letters.sections(foods: Letters.foods), animated: false)
  }

  func show(_ sections: [LettersSection], animated: Bool = true) {
    var snapshot = LettersDataSource.snapshot(of: sections)
    let items = sections.flatMap(\.foods).map(\.code).occurrences()
    let old = rowForItem
    let rows = zip(items, sections.flatMap(\.foods))
    rowForItem = Dictionary(uniqueKeysWithValues: rows)
    // The cells of rows that have changed are configured again.
    let changed = items.filter { old[$0] != nil && old[$0] != rowForItem[$0] }
    snapshot.reconfigureItems(changed)
    dataSource.apply(snapshot, animatingDifferences: animated)
  }
}

final class LettersDataSource: UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<Int>> {
  static func snapshot(
    of sections: [LettersSection]
  ) -> NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Int>> {
    var snapshot = NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Int>>()
    var rows = sections.flatMap(\.foods).map(\.code).occurrences()[...]
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
    XCTAssertEqual(sections[0].foods[0].code, 2)
  }
}
