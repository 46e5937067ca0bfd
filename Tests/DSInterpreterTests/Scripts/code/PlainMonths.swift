// months: sectioned by sold, month, sorted by name
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String?
  var price: Double
  var sold: Date?
  var isNew: Bool?
  var n: Int?
}

struct MonthsSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `months`, and its sections.
enum Months {
  static let foods: [Food] = [
    Food(
      name: "Pie",
      kind: "sweet",
      price: 2.5,
      sold: Date(timeIntervalSince1970: 1351814400),
      isNew: true,
      n: 2
    ),
    Food(name: "Élan", kind: nil, price: 1, sold: nil, isNew: false, n: nil),
    Food(
      name: "apple",
      kind: "sweet",
      price: 10,
      sold: Date(timeIntervalSince1970: 1357084800),
      isNew: nil,
      n: 1
    ),
  ]

  /// sectioned by sold, month, sorted by name
  static func sections(foods: [Food]) -> [MonthsSection] {
    let order = KeyPathComparator(\Food.name, comparator: ComparableComparator<String>())
    var places: [String?: Int] = [:]
    var sections: [MonthsSection] = []
    for food in foods.sorted(using: order) {
      let title = food.sold.map { month(of: $0) }
      if let place = places[title] {
        sections[place].foods.append(food)
      } else {
        places[title] = sections.count
        sections.append(MonthsSection(title: title, foods: [food]))
      }
    }
    sections.sort { ($0.title ?? "~") < ($1.title ?? "~") }
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
  private var sections: [MonthsSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "months"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Months.sections(foods: Months.foods))
  }

  func show(_ sections: [MonthsSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].foods.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let food = sections[indexPath.section].foods[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = food.name
    content.secondaryText = food.kind
    cell.contentConfiguration = content
    return cell
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    sections[section].title
  }

  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    sections.map { $0.title?.prefix(1).uppercased() ?? "" }
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    index
  }
}

// The expectations of the session about months.
// Add `@testable import` of the app, whose module this test is not part of.
final class MonthsTests: XCTestCase {
  func testSections() throws {
    let foods = Months.foods
    let sections = Months.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["2012-11", "2013-01", nil])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "Pie")
    XCTAssertEqual(sections[1].foods[0].name, "apple")
    XCTAssertEqual(sections[2].foods[0].name, "Élan")
  }
}
