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
  private lazy var dataSource = ItemDataSource(tableView: tableView) {
    tableView, indexPath, item in
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let row = item.value
    var content = cell.defaultContentConfiguration()
    content.text = row.name
    content.secondaryText = row.title
    cell.contentConfiguration = content
    return cell
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "item"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(
      Item.sections(sectionsList: Item.sectionsList, titlesList: Item.titlesList),
      animated: false
    )
  }

  func show(_ sections: [ItemSection], animated: Bool = true) {
    dataSource.apply(ItemDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class ItemDataSource: UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<Row>> {
  static func snapshot(
    of sections: [ItemSection]
  ) -> NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Row>> {
    var snapshot = NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Row>>()
    var rows = sections.flatMap(\.rows).occurrences()[...]
    for (section, identifier) in zip(sections, sections.map(\.title).occurrences()) {
      snapshot.appendSections([identifier])
      snapshot.appendItems(Array(rows.prefix(section.rows.count)), toSection: identifier)
      rows = rows.dropFirst(section.rows.count)
    }
    return snapshot
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    snapshot().sectionIdentifiers[section].value
  }

  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    snapshot().sectionIdentifiers.map { $0.value?.prefix(1).uppercased() ?? "" }
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    index
  }
}

/// A value and its number among equal ones: a snapshot must not contain an identifier twice.
struct Occurrence<Value: Hashable & Sendable>: Hashable, Sendable {
  var value: Value
  var number: Int
}

extension Sequence where Element: Hashable & Sendable {
  func occurrences() -> [Occurrence<Element>] {
    var counts: [Element: Int] = [:]
    return map { value in
      counts[value, default: 0] += 1
      return Occurrence(value: value, number: counts[value, default: 0])
    }
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
