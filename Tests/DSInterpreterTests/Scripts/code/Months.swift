// months: sectioned by sold, month, sorted by sold desc
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double?
  var sold: Date
}

struct MonthsSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `months`, and its sections.
enum Months {
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

  /// sectioned by sold, month, sorted by sold desc
  static func sections(foods: [Food]) -> [MonthsSection] {
    var places: [String?: Int] = [:]
    var sections: [MonthsSection] = []
    let shown = foods.sorted(using: KeyPathComparator(\Food.sold, order: .reverse))
    for food in shown {
      let title = month(of: food.sold)
      if let place = places[title] {
        sections[place].foods.append(food)
      } else {
        places[title] = sections.count
        sections.append(MonthsSection(title: title, foods: [food]))
      }
    }
    sections.sort { ($0.title ?? "") < ($1.title ?? "") }
    return sections
  }

  /// The title of the month of a date.
  private static func month(of date: Date) -> String {
    let parts = Calendar.gmt.dateComponents([.year, .month], from: date)
    return String(format: "%04d-%02d", parts.year ?? 0, parts.month ?? 0)
  }
}

extension Calendar {
  /// Weeks of ISO 8601, in GMT, with English names.
  static let gmt: Calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    calendar.locale = Locale(identifier: "en_US_POSIX")
    return calendar
  }()
}

final class MonthsViewController: UITableViewController {
  private lazy var dataSource = MonthsDataSource(tableView: tableView) {
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
    title = "months"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Months.sections(foods: Months.foods), animated: false)
  }

  func show(_ sections: [MonthsSection], animated: Bool = true) {
    dataSource.apply(MonthsDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class MonthsDataSource: UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<Food>> {
  static func snapshot(
    of sections: [MonthsSection]
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

// The expectations of the session about months.
// Add `@testable import` of the app, whose module this test is not part of.
final class MonthsTests: XCTestCase {
  func testSections() throws {
    let foods = Months.foods
    let sections = Months.sections(foods: foods)
    // Not written: expect foods.numberOfObjects == 5 (it concerns another source than months)
    XCTAssertEqual(sections.map(\.title), ["2012-11", "2012-12", "2013-01"])
    XCTAssertEqual(sections[0].foods[0].name, "Apple")
  }
}
