// letters: sectioned by name.firstCharacter, sorted by name
import UIKit
import XCTest

struct Name: Hashable, Decodable {
  var name: String
  var kind: String?
}

extension Name {
  /// `name.firstCharacter`
  var nameFirstCharacter: String? { name.first.map { String($0) } }
}

struct LettersSection: Hashable {
  var title: String?
  var names: [Name]
}

/// The rows of `letters`, and its sections.
enum Letters {
  static let names: [Name] = [
    Name(name: "bus", kind: "b"),
    Name(name: "Axe", kind: nil),
    Name(name: "ant", kind: "B"),
    Name(name: "Bell", kind: "a"),
    Name(name: "Über", kind: "C"),
    Name(name: "arm", kind: "c"),
  ]

  /// sectioned by name.firstCharacter, sorted by name
  static func sections(names: [Name]) -> [LettersSection] {
    let order = KeyPathComparator(\Name.name, comparator: ComparableComparator<String>())
    var sections: [LettersSection] = []
    for nameRow in names.sorted(using: order) {
      let title = nameRow.nameFirstCharacter
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].names.append(nameRow)
      } else {
        sections.append(LettersSection(title: title, names: [nameRow]))
      }
    }
    return sections
  }
}

final class LettersViewController: UITableViewController {
  private lazy var dataSource = LettersDataSource(tableView: tableView) {
    tableView, indexPath, item in
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let nameRow = item.value
    var content = cell.defaultContentConfiguration()
    content.text = nameRow.name
    content.secondaryText = nameRow.kind
    cell.contentConfiguration = content
    return cell
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "letters"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Letters.sections(names: Letters.names), animated: false)
  }

  func show(_ sections: [LettersSection], animated: Bool = true) {
    dataSource.apply(LettersDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class LettersDataSource:
  UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<Name>>
{
  static func snapshot(
    of sections: [LettersSection]
  ) -> NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Name>> {
    var snapshot = NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Name>>()
    var rows = sections.flatMap(\.names).occurrences()[...]
    for (section, identifier) in zip(sections, sections.map(\.title).occurrences()) {
      snapshot.appendSections([identifier])
      snapshot.appendItems(Array(rows.prefix(section.names.count)), toSection: identifier)
      rows = rows.dropFirst(section.names.count)
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

// The expectations of the session about letters.
// Add `@testable import` of the app, whose module this test is not part of.
final class LettersTests: XCTestCase {
  func testSections() throws {
    let names = Letters.names
    let sections = Letters.sections(names: names)
    XCTAssertEqual(sections.map(\.title), ["A", "B", "a", "b", "Ü"])
    XCTAssertEqual(sections.flatMap(\.names).count, 6)
    XCTAssertEqual(sections[2].names[1].name, "arm")
  }
}
