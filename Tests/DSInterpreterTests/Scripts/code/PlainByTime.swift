// byTime: organized chronologically by sold, sorted by sold
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

struct ByTimeSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `byTime`, and its sections.
enum ByTime {
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

  /// organized chronologically by sold, sorted by sold
  static func sections(foods: [Food]) -> [ByTimeSection] {
    var places: [String?: Int] = [:]
    var sections: [ByTimeSection] = []
    for food in foods.sorted(using: KeyPathComparator(\Food.sold)) {
      let title = food.sold.map { month(of: $0) }
      if let place = places[title] {
        sections[place].foods.append(food)
      } else {
        places[title] = sections.count
        sections.append(ByTimeSection(title: title, foods: [food]))
      }
    }
    sections.sort { ($0.title ?? "~") < ($1.title ?? "~") }
    for index in sections.indices {
      sections[index].title = sections[index].title.map { name(ofMonth: $0) }
    }
    return sections
  }

  /// The title of the month of a date.
  private static func month(of date: Date) -> String {
    let parts = Calendar.gmt.dateComponents([.year, .month], from: date)
    return String(format: "%04d-%02d", parts.year ?? 0, parts.month ?? 0)
  }

  /// `November 2012` for `2012-11`.
  private static func name(ofMonth title: String) -> String {
    let parts = title.split(separator: "-").compactMap { Int($0) }
    return "\(Calendar.gmt.standaloneMonthSymbols[parts[1] - 1]) \(parts[0])"
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

final class ByTimeViewController: UITableViewController {
  private var sections: [ByTimeSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "byTime"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(ByTime.sections(foods: ByTime.foods))
  }

  func show(_ sections: [ByTimeSection]) {
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

// The expectations of the session about byTime.
// Add `@testable import` of the app, whose module this test is not part of.
final class ByTimeTests: XCTestCase {
  func testSections() throws {
    let foods = ByTime.foods
    let sections = ByTime.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["November 2012", "January 2013", nil])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "Pie")
    XCTAssertEqual(sections[1].foods[0].name, "apple")
    XCTAssertEqual(sections[2].foods[0].name, "Élan")
  }
}
