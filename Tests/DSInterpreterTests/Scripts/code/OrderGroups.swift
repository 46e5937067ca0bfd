// groups: sectioned by kind, groups
import UIKit
import XCTest

struct Name: Hashable, Decodable {
  var name: String
  var kind: String?
}

struct GroupsSection: Hashable {
  var title: String?
  var names: [Name]
}

/// The rows of `groups`, and its sections.
enum Groups {
  static let names: [Name] = [
    Name(name: "bus", kind: "b"),
    Name(name: "Axe", kind: nil),
    Name(name: "ant", kind: "B"),
    Name(name: "Bell", kind: "a"),
    Name(name: "Über", kind: "C"),
    Name(name: "arm", kind: "c"),
  ]

  /// sectioned by kind, groups
  static func sections(names: [Name]) -> [GroupsSection] {
    let order = KeyPathComparator(\Name.kind, comparator: ComparableComparator<String>())
    var places: [String?: Int] = [:]
    var sections: [GroupsSection] = []
    for nameRow in names.sorted(using: order) {
      let title = nameRow.kind
      if let place = places[title] {
        sections[place].names.append(nameRow)
      } else {
        places[title] = sections.count
        sections.append(GroupsSection(title: title, names: [nameRow]))
      }
    }
    return sections
  }
}

final class GroupsViewController: UITableViewController {
  private var sections: [GroupsSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "groups"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Groups.sections(names: Groups.names))
  }

  func show(_ sections: [GroupsSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].names.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let nameRow = sections[indexPath.section].names[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = nameRow.name
    content.secondaryText = nameRow.kind
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

// The expectations of the session about groups.
// Add `@testable import` of the app, whose module this test is not part of.
final class GroupsTests: XCTestCase {
  func testSections() throws {
    let names = Groups.names
    let sections = Groups.sections(names: names)
    XCTAssertEqual(sections.map(\.title), [nil, "B", "C", "a", "b", "c"])
  }
}
