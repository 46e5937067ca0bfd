// dear: top 2 by price desc
import UIKit
import XCTest

struct Row: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double?
  var sold: Date?
}

struct DearSection: Hashable {
  var title: String?
  var rows: [Row]
}

/// The rows of `dear`, and its sections.
enum Dear {
  static let foods: [Row] = [
    Row(name: "Pie", kind: "sweet", price: 2.5, sold: Date(timeIntervalSince1970: 1351814400)),
    Row(name: "Carrot", kind: "vegetable", price: 1, sold: Date(timeIntervalSince1970: 1354320000)),
    Row(name: "Apple", kind: "fruit", price: nil, sold: Date(timeIntervalSince1970: 1353369600)),
    Row(name: "Banana", kind: "fruit", price: 1.25, sold: Date(timeIntervalSince1970: 1357344000)),
    Row(name: "Élan", kind: "sweet", price: 4, sold: Date(timeIntervalSince1970: 1357430400)),
  ]

  static let drinks: [Row] = [Row(name: "Tea", kind: "hot", price: nil, sold: nil)]

  /// top 2 by price desc
  static func sections(foods: [Row], drinks: [Row]) -> [DearSection] {
    let menu = [DearSection(title: "", rows: foods), DearSection(title: "Drinks", rows: drinks)]
    let rowsShown = Array(
      menu.flatMap(\.rows)
        .sorted(using: KeyPathComparator(\Row.price, order: .reverse))
        .prefix(2))
    return [DearSection(title: nil, rows: rowsShown)]
  }
}

final class DearViewController: UITableViewController {
  private var sections: [DearSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "dear"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Dear.sections(foods: Dear.foods, drinks: Dear.drinks))
  }

  func show(_ sections: [DearSection]) {
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

// The expectations of the session about dear.
// Add `@testable import` of the app, whose module this test is not part of.
final class DearTests: XCTestCase {
  func testSections() throws {
    let foods = Dear.foods
    let drinks = Dear.drinks
    let sections = Dear.sections(foods: foods, drinks: drinks)
    // Not written: expect foods.numberOfObjects == 5 (it concerns another source than dear)
    XCTAssertEqual(sections[0].rows[0].price, 4)
  }
}
