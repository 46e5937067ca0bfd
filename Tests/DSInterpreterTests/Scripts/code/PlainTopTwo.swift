// topTwo: top 2 by price
import UIKit
import XCTest

struct Row: Hashable, Decodable {
  var name: String
  var kind: String?
  var price: Double
  var sold: Date?
  var isNew: Bool?
  var n: Int?
}

struct TopTwoSection: Hashable {
  var title: String?
  var rows: [Row]
}

/// The rows of `topTwo`, and its sections.
enum TopTwo {
  static let foods: [Row] = [
    Row(
      name: "Pie",
      kind: "sweet",
      price: 2.5,
      sold: Date(timeIntervalSince1970: 1351814400),
      isNew: true,
      n: 2
    ),
    Row(name: "Élan", kind: nil, price: 1, sold: nil, isNew: false, n: nil),
    Row(
      name: "apple",
      kind: "sweet",
      price: 10,
      sold: Date(timeIntervalSince1970: 1357084800),
      isNew: nil,
      n: 1
    ),
  ]

  static let drinks: [Row] = [
    Row(
      name: "Tea",
      kind: "hot",
      price: 3,
      sold: Date(timeIntervalSince1970: 1351814400),
      isNew: true,
      n: nil
    )
  ]

  /// top 2 by price
  static func sections(foods: [Row], drinks: [Row]) -> [TopTwoSection] {
    let order = KeyPathComparator(\Row.kind, comparator: ComparableComparator<String>())
    var runs: [TopTwoSection] = []
    for row in foods.sorted(using: order) {
      let title = row.kind
      if let last = runs.indices.last, runs[last].title == title {
        runs[last].rows.append(row)
      } else {
        runs.append(TopTwoSection(title: title, rows: [row]))
      }
    }
    let joined = [
      TopTwoSection(title: "", rows: runs.flatMap(\.rows)),
      TopTwoSection(title: "Drinks", rows: drinks),
    ]
    let rowsShown = Array(
      joined.flatMap(\.rows)
        .sorted(using: KeyPathComparator(\Row.price))
        .prefix(2))
    return [TopTwoSection(title: nil, rows: rowsShown)]
  }
}

final class TopTwoViewController: UITableViewController {
  private var sections: [TopTwoSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "topTwo"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(TopTwo.sections(foods: TopTwo.foods, drinks: TopTwo.drinks))
  }

  func show(_ sections: [TopTwoSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].rows.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let row = sections[indexPath.section].rows[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = row.name
    content.secondaryText = row.kind
    cell.contentConfiguration = content
    return cell
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    sections[section].title
  }
}

// The expectations of the session about topTwo.
// Add `@testable import` of the app, whose module this test is not part of.
final class TopTwoTests: XCTestCase {
  func testSections() throws {
    let foods = TopTwo.foods
    let drinks = TopTwo.drinks
    let sections = TopTwo.sections(foods: foods, drinks: drinks)
    // Not written: expect runs.sectionTitles == [null, "sweet"] (it concerns another source than
    // topTwo)
    // Not written: expect runs.numberOfObjects == 3 (it concerns another source than topTwo)
    // Not written: expect runs[0, 0].name == "Élan" (it concerns another source than topTwo)
    // Not written: expect runs[1, 0].name == "Pie" (it concerns another source than topTwo)
    // Not written: expect runs[1, 1].name == "apple" (it concerns another source than topTwo)
    // Not written: expect joined.sectionTitles == ["", "Drinks"] (it concerns another source than
    // topTwo)
    // Not written: expect joined.numberOfObjects == 4 (it concerns another source than topTwo)
    // Not written: expect joined[0, 0].name == "Élan" (it concerns another source than topTwo)
    // Not written: expect joined[0, 1].name == "Pie" (it concerns another source than topTwo)
    // Not written: expect joined[0, 2].name == "apple" (it concerns another source than topTwo)
    // Not written: expect joined[1, 0].name == "Tea" (it concerns another source than topTwo)
    XCTAssertEqual(sections.map(\.title), [nil])
    XCTAssertEqual(sections.flatMap(\.rows).count, 2)
    XCTAssertEqual(sections[0].rows[0].name, "Élan")
    XCTAssertEqual(sections[0].rows[1].name, "Pie")
  }
}
