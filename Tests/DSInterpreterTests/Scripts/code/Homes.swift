// homes: sectioned by address.city, sorted by address.city, where address.city != "x\"y"
import UIKit
import XCTest

struct PeopleRow: Hashable, Decodable {
  var name: String
  var address: AddressRow?
  var pets: [Pet]
  var dates: [DateRow]
  var big: Decimal
  var ratio: Double
  var at: Date

  struct AddressRow: Hashable, Decodable {
    var classValue: String
    var zipCode: Int
    var city: String

    private enum CodingKeys: String, CodingKey {
      case classValue = "class"
      case zipCode = "zip code"
      case city
    }
  }

  struct Pet: Hashable, Decodable {
    var name: String
    var type: String
  }

  struct DateRow: Hashable, Decodable {
    var date: Date
  }
}

extension PeopleRow {
  /// `address.city`
  var addressCity: String? { address?.city }
}

struct HomesSection: Hashable {
  var title: String?
  var people: [PeopleRow]
}

/// The rows of `homes`, and its sections.
enum Homes {
  static let people: [PeopleRow] = [
    PeopleRow(
      name: "Ann",
      address: PeopleRow.AddressRow(classValue: "x", zipCode: 1, city: "Rome"),
      pets: [PeopleRow.Pet(name: "Rex", type: "dog")],
      dates: [PeopleRow.DateRow(date: Date(timeIntervalSince1970: 1577836800))],
      big: Decimal(string: "12345678901234567890") ?? 0,
      ratio: 0.1,
      at: Date(timeIntervalSince1970: 1577872800)
    ),
    PeopleRow(
      name: "Bo",
      address: nil,
      pets: [],
      dates: [],
      big: Decimal(string: "1") ?? 0,
      ratio: 1e+20,
      at: Date(timeIntervalSince1970: 1577865600)
    ),
  ]

  /// sectioned by address.city, sorted by address.city, where address.city != "x\"y"
  static func sections(people: [PeopleRow]) -> [HomesSection] {
    let order = KeyPathComparator(
      \PeopleRow.addressCity,
      comparator: ComparableComparator<String>()
    )
    var sections: [HomesSection] = []
    let shown = people.filter { peopleRow in peopleRow.addressCity != "x\"y" }.sorted(using: order)
    for peopleRow in shown {
      let title = peopleRow.addressCity
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].people.append(peopleRow)
      } else {
        sections.append(HomesSection(title: title, people: [peopleRow]))
      }
    }
    return sections
  }
}

final class HomesViewController: UITableViewController {
  private var sections: [HomesSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "homes"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Homes.sections(people: Homes.people))
  }

  func show(_ sections: [HomesSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].people.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let peopleRow = sections[indexPath.section].people[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = peopleRow.name
    content.secondaryText = "\(peopleRow.big)"
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

// The expectations of the session about homes.
// Add `@testable import` of the app, whose module this test is not part of.
final class HomesTests: XCTestCase {
  func testSections() throws {
    let people = Homes.people
    let sections = Homes.sections(people: people)
    XCTAssertEqual(sections.map(\.title), [nil, "Rome"])
    XCTAssertEqual(sections[1].people[0].ratio, 0.1)
    XCTAssertEqual(sections[0].people[0].big, Decimal(string: "1") ?? 0)
  }
}
