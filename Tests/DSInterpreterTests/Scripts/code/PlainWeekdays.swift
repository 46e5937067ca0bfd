// weekdays: sectioned by sold.weekday, sorted by sold.weekday (nulls last)
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

extension Food {
  /// `sold.weekday`
  var soldWeekday: Int? {
    sold.map { Calendar.gmt.component(.weekday, from: $0) }.map { ($0 + 5) % 7 + 1 }
  }
  /// `soldWeekday is missing`
  var soldWeekdayIsMissing: Int { soldWeekday == nil ? 1 : 0 }
}

struct WeekdaysSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `weekdays`, and its sections.
enum Weekdays {
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

  /// sectioned by sold.weekday, sorted by sold.weekday (nulls last)
  static func sections(foods: [Food]) -> [WeekdaysSection] {
    let order = [
      KeyPathComparator(\Food.soldWeekdayIsMissing),
      KeyPathComparator(\Food.soldWeekday),
    ]
    var sections: [WeekdaysSection] = []
    for food in foods.sorted(using: order) {
      let title = food.soldWeekday.map { "\($0)" }
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].foods.append(food)
      } else {
        sections.append(WeekdaysSection(title: title, foods: [food]))
      }
    }
    return sections
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

final class WeekdaysViewController: UITableViewController {
  private var sections: [WeekdaysSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "weekdays"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Weekdays.sections(foods: Weekdays.foods))
  }

  func show(_ sections: [WeekdaysSection]) {
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

// The expectations of the session about weekdays.
// Add `@testable import` of the app, whose module this test is not part of.
final class WeekdaysTests: XCTestCase {
  func testSections() throws {
    let foods = Weekdays.foods
    let sections = Weekdays.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["3", "5", nil])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "apple")
    XCTAssertEqual(sections[1].foods[0].name, "Pie")
    XCTAssertEqual(sections[2].foods[0].name, "Élan")
  }
}
