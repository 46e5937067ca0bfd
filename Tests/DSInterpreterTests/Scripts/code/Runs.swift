// runs: sectioned by kind, sorted by kind, price
import UIKit
import XCTest

struct Row: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double?
  var sold: Date?
}

struct RunsSection: Hashable {
  var title: String?
  var rows: [Row]
}

/// The rows of `runs`, and its sections.
enum Runs {
  static let foods: [Row] = [
    Row(name: "Pie", kind: "sweet", price: 2.5, sold: Date(timeIntervalSince1970: 1351814400)),
    Row(name: "Carrot", kind: "vegetable", price: 1, sold: Date(timeIntervalSince1970: 1354320000)),
    Row(name: "Apple", kind: "fruit", price: nil, sold: Date(timeIntervalSince1970: 1353369600)),
    Row(name: "Banana", kind: "fruit", price: 1.25, sold: Date(timeIntervalSince1970: 1357344000)),
    Row(name: "Élan", kind: "sweet", price: 4, sold: Date(timeIntervalSince1970: 1357430400)),
  ]

  static let drinks: [Row] = [Row(name: "Tea", kind: "hot", price: nil, sold: nil)]

  /// sectioned by kind, sorted by kind, price
  static func sections(foods: [Row], drinks: [Row]) -> [RunsSection] {
    let menu = [RunsSection(title: "", rows: foods), RunsSection(title: "Drinks", rows: drinks)]
    let order = [
      KeyPathComparator(\Row.kind, comparator: ComparableComparator<String>()),
      KeyPathComparator(\Row.price),
    ]
    var sections: [RunsSection] = []
    for row in menu.flatMap(\.rows).sorted(using: order) {
      let title = row.kind
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].rows.append(row)
      } else {
        sections.append(RunsSection(title: title, rows: [row]))
      }
    }
    return sections
  }
}

final class RunsViewController: UITableViewController {
  private var sections: [RunsSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "runs"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Runs.sections(foods: Runs.foods, drinks: Runs.drinks))
  }

  func show(_ sections: [RunsSection]) {
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

  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    sections.map { $0.title?.prefix(1).uppercased() ?? "" }
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    index
  }
}

// The expectations of the session about runs.
// Add `@testable import` of the app, whose module this test is not part of.
final class RunsTests: XCTestCase {
  func testSections() throws {
    let foods = Runs.foods
    let drinks = Runs.drinks
    let sections = Runs.sections(foods: foods, drinks: drinks)
    // Not written: expect foods.numberOfObjects == 5 (it concerns another source than runs)
    XCTAssertEqual(sections[1].rows[0].kind, "hot")
  }
}
