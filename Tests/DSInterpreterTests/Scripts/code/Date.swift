// date: sectioned by class, sorted by class, where class != "\"q\" \\(x) \\" and title != "??/ \\ .
// self.x %@"
import UIKit
import XCTest

struct DateRow: Hashable, Decodable {
  var classValue: String
  var aB: String
  var lineBreak: String
  var value: String
  var selfValue: Int
  var whereValue: Bool
  var unitPrice: Double
  var title: String
  var description: String
  var value2: String
  var context: String
  var dateRow: String
  var date: Date

  private enum CodingKeys: String, CodingKey {
    case classValue = "class"
    case aB = "a\\b"
    case lineBreak = "line\nbreak"
    case value = "😀"
    case selfValue = "self"
    case whereValue = "where"
    case unitPrice = "unit price"
    case title
    case description
    case value2 = ""
    case context
    case dateRow
    case date
  }
}

extension DateRow {
  /// `class != "\"q\" \\(x) \\" and title != "??/ \\ self.x %@"`
  var isMatch: Bool {
    classValue != "\"q\" \\(x) \\"
      && title != "??/ \\ self.x %@"
  }
}

struct DateListSection: Hashable {
  var title: String?
  var dates: [DateRow]
}

/// The rows of `date`, and its sections.
enum DateList {
  static let dates: [DateRow] = [
    DateRow(
      classValue: "say \"hi\"",
      aB: "\\(x) \\",
      lineBreak: "1\n2",
      value: "😀",
      selfValue: 1,
      whereValue: true,
      unitPrice: 2.5,
      title: "self.t",
      description: "d",
      value2: "e",
      context: "c",
      dateRow: "f",
      date: Date(timeIntervalSince1970: 1577923200)
    ),
    DateRow(
      classValue: "b",
      aB: "??/",
      lineBreak: "",
      value: "\"\"\"",
      selfValue: 2,
      whereValue: false,
      unitPrice: 3,
      title: "#",
      description: "%@",
      value2: "*/",
      context: "//",
      dateRow: "@",
      date: Date(timeIntervalSince1970: 1578009600)
    ),
  ]

  /// sectioned by class, sorted by class, where class != "\"q\" \\(x) \\" and title != "??/ \\ .
  /// self.x %@"
  static func sections(dates: [DateRow]) -> [DateListSection] {
    let order = KeyPathComparator(\DateRow.classValue, comparator: ComparableComparator<String>())
    var sections: [DateListSection] = []
    for dateRow in dates.filter(\.isMatch).sorted(using: order) {
      let title = dateRow.classValue
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].dates.append(dateRow)
      } else {
        sections.append(DateListSection(title: title, dates: [dateRow]))
      }
    }
    return sections
  }
}

final class DateListViewController: UITableViewController {
  private lazy var dataSource = DateListDataSource(tableView: tableView) {
    tableView, indexPath, item in
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let dateRow = item.value
    var content = cell.defaultContentConfiguration()
    content.text = dateRow.classValue
    content.secondaryText = dateRow.aB
    cell.contentConfiguration = content
    return cell
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "date"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(DateList.sections(dates: DateList.dates), animated: false)
  }

  func show(_ sections: [DateListSection], animated: Bool = true) {
    dataSource.apply(DateListDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class DateListDataSource:
  UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<DateRow>>
{
  static func snapshot(
    of sections: [DateListSection]
  ) -> NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<DateRow>> {
    var snapshot = NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<DateRow>>()
    var rows = sections.flatMap(\.dates).occurrences()[...]
    for (section, identifier) in zip(sections, sections.map(\.title).occurrences()) {
      snapshot.appendSections([identifier])
      snapshot.appendItems(Array(rows.prefix(section.dates.count)), toSection: identifier)
      rows = rows.dropFirst(section.dates.count)
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

// The expectations of the session about date.
// Add `@testable import` of the app, whose module this test is not part of.
final class DateListTests: XCTestCase {
  func testSections() throws {
    let dates = DateList.dates
    let sections = DateList.sections(dates: dates)
    XCTAssertEqual(sections[1].dates[0].classValue, "say \"hi\"")
    XCTAssertEqual(sections[1].dates[0].title, "self.t")
    XCTAssertEqual(sections.map(\.title), ["b", "say \"hi\""])
    XCTAssertTrue(
      sections.flatMap(\.dates).allSatisfy { dateRow in
        dateRow.classValue.contains("\\")
          || dateRow.classValue != "\n"
          || dateRow.title != "*/"
      })
  }
}
