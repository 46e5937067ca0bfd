// kinds: sectioned, sorted by kind desc, name desc
import UIKit
import XCTest

struct Name: Hashable, Decodable {
  var name: String
  var kind: String?
}

struct KindsSection: Hashable {
  var title: String?
  var names: [Name]
}

/// The rows of `kinds`, and its sections.
enum Kinds {
  static let names: [Name] = [
    Name(name: "bus", kind: "b"),
    Name(name: "Axe", kind: nil),
    Name(name: "ant", kind: "B"),
    Name(name: "Bell", kind: "a"),
    Name(name: "Über", kind: "C"),
    Name(name: "arm", kind: "c"),
  ]

  /// sectioned, sorted by kind desc, name desc
  static func sections(names: [Name]) -> [KindsSection] {
    let order = [
      KeyPathComparator(\Name.kind, comparator: ComparableComparator<String>(), order: .reverse),
      KeyPathComparator(\Name.name, comparator: ComparableComparator<String>(), order: .reverse),
    ]
    let namesShown = names.sorted(using: order)
    return [KindsSection(title: nil, names: namesShown)]
  }
}

final class KindsViewController: UITableViewController {
  private var sections: [KindsSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "kinds"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Kinds.sections(names: Kinds.names))
  }

  func show(_ sections: [KindsSection]) {
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
}

// The expectations of the session about kinds.
// Add `@testable import` of the app, whose module this test is not part of.
final class KindsTests: XCTestCase {
  func testSections() throws {
    let names = Kinds.names
    let sections = Kinds.sections(names: names)
    XCTAssertEqual(sections[0].names[0].kind, "c")
    XCTAssertEqual(sections[0].names[2].kind, "a")
    XCTAssertEqual(sections[0].names[4].kind, "B")
    XCTAssertEqual(sections[0].names[5].name, "Axe")
  }
}
