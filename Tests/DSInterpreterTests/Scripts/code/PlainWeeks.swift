// weeks: sectioned by sold, week, where n IN [1, 2] or n == null
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

struct WeeksSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `weeks`, and its sections.
enum Weeks {
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

  /// sectioned by sold, week, where n IN [1, 2] or n == null
  static func sections(foods: [Food]) -> [WeeksSection] {
    var places: [String?: Int] = [:]
    var sections: [WeeksSection] = []
    let shown = foods.filter { food in [1, 2].contains(food.n) || food.n == nil }
    for food in shown {
      let title = food.sold.map { week(of: $0) }
      if let place = places[title] {
        sections[place].foods.append(food)
      } else {
        places[title] = sections.count
        sections.append(WeeksSection(title: title, foods: [food]))
      }
    }
    sections.sort { ($0.title ?? "~") < ($1.title ?? "~") }
    return sections
  }

  /// The title of the week of a date.
  private static func week(of date: Date) -> String {
    let parts = Calendar.gmt.dateComponents([.yearForWeekOfYear, .weekOfYear], from: date)
    return String(format: "%04d-W%02d", parts.yearForWeekOfYear ?? 0, parts.weekOfYear ?? 0)
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

final class WeeksViewController: UITableViewController {
  private var sections: [WeeksSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "weeks"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Weeks.sections(foods: Weeks.foods))
  }

  func show(_ sections: [WeeksSection]) {
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

// The expectations of the session about weeks.
// Add `@testable import` of the app, whose module this test is not part of.
final class WeeksTests: XCTestCase {
  func testSections() throws {
    let foods = Weeks.foods
    let sections = Weeks.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["2012-W44", "2013-W01", nil])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "Pie")
    XCTAssertEqual(sections[1].foods[0].name, "apple")
    XCTAssertEqual(sections[2].foods[0].name, "Élan")
  }
}
