// days: sectioned by sold, day, where sold != null
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

struct DaysSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `days`, and its sections.
enum Days {
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

  /// sectioned by sold, day, where sold != null
  static func sections(foods: [Food]) -> [DaysSection] {
    var places: [String?: Int] = [:]
    var sections: [DaysSection] = []
    let shown = foods.filter { food in food.sold != nil }
    for food in shown {
      let title = food.sold.map { day(of: $0) }
      if let place = places[title] {
        sections[place].foods.append(food)
      } else {
        places[title] = sections.count
        sections.append(DaysSection(title: title, foods: [food]))
      }
    }
    sections.sort { ($0.title ?? "~") < ($1.title ?? "~") }
    return sections
  }

  /// The title of the day of a date.
  private static func day(of date: Date) -> String {
    let parts = Calendar.gmt.dateComponents([.year, .month, .day], from: date)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
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

final class DaysViewController: UITableViewController {
  private var sections: [DaysSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "days"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Days.sections(foods: Days.foods))
  }

  func show(_ sections: [DaysSection]) {
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

// The expectations of the session about days.
// Add `@testable import` of the app, whose module this test is not part of.
final class DaysTests: XCTestCase {
  func testSections() throws {
    let foods = Days.foods
    let sections = Days.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["2012-11-02", "2013-01-02"])
    XCTAssertEqual(sections.flatMap(\.foods).count, 2)
    XCTAssertEqual(sections[0].foods[0].name, "Pie")
    XCTAssertEqual(sections[1].foods[0].name, "apple")
  }
}
