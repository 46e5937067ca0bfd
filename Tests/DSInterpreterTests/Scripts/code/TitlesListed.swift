// listed: collated by name
import UIKit
import XCTest

struct PeopleRow: Hashable, Decodable {
  var name: String
  var born: Int?
}

struct ListedSection: Hashable {
  var title: String?
  var people: [PeopleRow]
}

/// The rows of `listed`, and its sections.
enum Listed {
  static let people: [PeopleRow] = [
    PeopleRow(name: "Ann", born: 1990),
    PeopleRow(name: "Zoe", born: nil),
  ]

  /// collated by name
  @MainActor
  static func sections(people: [PeopleRow]) -> [ListedSection] {
    let collation = UILocalizedIndexedCollation.current()
    var sections = collation.sectionTitles.map { ListedSection(title: $0, people: []) }
    let shown =
      people
      .sorted(using: KeyPathComparator(\PeopleRow.name, comparator: .localizedStandard))
    for peopleRow in shown {
      let name = peopleRow.name as NSString
      let selector = #selector(getter: NSObjectProtocol.description)
      let place = collation.section(for: name, collationStringSelector: selector)
      sections[place].people.append(peopleRow)
    }
    sections.removeAll(where: \.people.isEmpty)
    return sections
  }
}

final class ListedViewController: UITableViewController {
  private lazy var dataSource = ListedDataSource(tableView: tableView) {
    tableView, indexPath, item in
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let peopleRow = item.value
    var content = cell.defaultContentConfiguration()
    content.text = peopleRow.name
    content.secondaryText = peopleRow.born.map { "\($0)" }
    cell.contentConfiguration = content
    return cell
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "listed"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Listed.sections(people: Listed.people), animated: false)
  }

  func show(_ sections: [ListedSection], animated: Bool = true) {
    dataSource.apply(ListedDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class ListedDataSource:
  UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<PeopleRow>>
{
  static func snapshot(
    of sections: [ListedSection]
  ) -> NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<PeopleRow>> {
    var snapshot = NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<PeopleRow>>()
    var rows = sections.flatMap(\.people).occurrences()[...]
    for (section, identifier) in zip(sections, sections.map(\.title).occurrences()) {
      snapshot.appendSections([identifier])
      snapshot.appendItems(Array(rows.prefix(section.people.count)), toSection: identifier)
      rows = rows.dropFirst(section.people.count)
    }
    return snapshot
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    snapshot().sectionIdentifiers[section].value
  }

  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    ["P", "Q"]
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    let collation = UILocalizedIndexedCollation.current()
    let place = min(index, collation.sectionTitles.count - 1)
    // The title of a hidden section leads to the nearest section before it.
    let titles = collation.sectionTitles[...place]
    let shown = snapshot().sectionIdentifiers.map { $0.value ?? "" }
    return shown.lastIndex(where: titles.contains) ?? 0
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

// The expectations of the session about listed.
// Add `@testable import` of the app, whose module this test is not part of.
final class ListedTests: XCTestCase {
  @MainActor
  func testSections() throws {
    let people = Listed.people
    _ = Listed.sections(people: people)
    // Not written: expect listed.sectionIndexTitles == ["P", "Q"] (the types guarantee it, or only
    // the library can check it)
  }
}
