// kept: multi, preserving sections
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

struct KeptSection: Hashable {
  var title: String?
  var rows: [Row]
}

/// The rows of `kept`, and its sections.
enum Kept {
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

  /// multi, preserving sections
  static func sections(foods: [Row], drinks: [Row]) -> [KeptSection] {
    let order = KeyPathComparator(\Row.kind, comparator: ComparableComparator<String>())
    var runs: [KeptSection] = []
    for row in foods.sorted(using: order) {
      let title = row.kind
      if let last = runs.indices.last, runs[last].title == title {
        runs[last].rows.append(row)
      } else {
        runs.append(KeptSection(title: title, rows: [row]))
      }
    }
    let sections = runs + [KeptSection(title: "Drinks", rows: drinks)]
    return sections
  }
}

final class KeptViewController: UITableViewController {
  private var sections: [KeptSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "kept"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Kept.sections(foods: Kept.foods, drinks: Kept.drinks))
  }

  func show(_ sections: [KeptSection]) {
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

// The expectations of the session about kept.
// Add `@testable import` of the app, whose module this test is not part of.
final class KeptTests: XCTestCase {
  func testSections() throws {
    let foods = Kept.foods
    let drinks = Kept.drinks
    let sections = Kept.sections(foods: foods, drinks: drinks)
    // Not written: expect runs.sectionTitles == [null, "sweet"] (it concerns another source than
    // kept)
    // Not written: expect runs.numberOfObjects == 3 (it concerns another source than kept)
    // Not written: expect runs[0, 0].name == "Élan" (it concerns another source than kept)
    // Not written: expect runs[1, 0].name == "Pie" (it concerns another source than kept)
    // Not written: expect runs[1, 1].name == "apple" (it concerns another source than kept)
    XCTAssertEqual(sections.map(\.title), [nil, "sweet", "Drinks"])
    XCTAssertEqual(sections.flatMap(\.rows).count, 4)
    XCTAssertEqual(sections[0].rows[0].name, "Élan")
    XCTAssertEqual(sections[1].rows[0].name, "Pie")
    XCTAssertEqual(sections[1].rows[1].name, "apple")
    XCTAssertEqual(sections[2].rows[0].name, "Tea")
  }
}
