// item: sectioned by name, fixed
import UIKit
import XCTest

struct Row: Hashable, Decodable {
  var name: String
  var title: String
}

struct ItemSection: Hashable {
  var title: String?
  var rows: [Row]
}

/// The rows of `item`, and its sections.
enum Item {
  static let sectionsList: [Row] = [Row(name: "a", title: "b")]

  static let titlesList: [Row] = [Row(name: "c", title: "d")]

  /// sectioned by name, fixed
  static func sections(sectionsList: [Row], titlesList: [Row]) -> [ItemSection] {
    let title2 = [
      ItemSection(title: "a \"quoted\" \\(name)", rows: sectionsList),
      ItemSection(title: "", rows: titlesList),
    ]
    let titles = ["a", "\"", "1", "1"]
    var sections = titles.map { ItemSection(title: $0, rows: []) }
    sections.append(ItemSection(title: "#", rows: []))
    let places = Dictionary(zip(titles, 0...), uniquingKeysWith: { first, _ in first })
    for row in title2.flatMap(\.rows) {
      let place = places[row.name] ?? titles.count
      sections[place].rows.append(row)
    }
    if sections.last?.rows.isEmpty == true { sections.removeLast() }
    return sections
  }
}

final class ItemViewController: UITableViewController {
  private var sections: [ItemSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "item"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Item.sections(sectionsList: Item.sectionsList, titlesList: Item.titlesList))
  }

  func show(_ sections: [ItemSection]) {
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
    content.secondaryText = row.title
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

// The expectations of the session about item.
// Add `@testable import` of the app, whose module this test is not part of.
final class ItemTests: XCTestCase {
  func testSections() throws {
    let sectionsList = Item.sectionsList
    let titlesList = Item.titlesList
    let sections = Item.sections(sectionsList: sectionsList, titlesList: titlesList)
    XCTAssertEqual(sections.map(\.title), ["a", "\"", "1", "1", "#"])
  }
}
