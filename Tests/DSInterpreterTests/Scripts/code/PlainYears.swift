// years: sectioned by sold.year, sorted by sold.year
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
  /// `sold.year`
  var soldYear: Int? { sold.map { Calendar.gmt.component(.year, from: $0) } }
}

struct YearsSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `years`, and its sections.
enum Years {
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

  /// sectioned by sold.year, sorted by sold.year
  static func sections(foods: [Food]) -> [YearsSection] {
    var sections: [YearsSection] = []
    for food in foods.sorted(using: KeyPathComparator(\Food.soldYear)) {
      let title = food.soldYear.map { "\($0)" }
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].foods.append(food)
      } else {
        sections.append(YearsSection(title: title, foods: [food]))
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

final class YearsViewController: UITableViewController {
  private var sections: [YearsSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "years"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Years.sections(foods: Years.foods))
  }

  func show(_ sections: [YearsSection]) {
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

// The expectations of the session about years.
// Add `@testable import` of the app, whose module this test is not part of.
final class YearsTests: XCTestCase {
  func testSections() throws {
    let foods = Years.foods
    let sections = Years.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), [nil, "2012", "2013"])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "Élan")
    XCTAssertEqual(sections[1].foods[0].name, "Pie")
    XCTAssertEqual(sections[2].foods[0].name, "apple")
  }
}
