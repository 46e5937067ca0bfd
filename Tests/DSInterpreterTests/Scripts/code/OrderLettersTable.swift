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
  private var sections: [LettersSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "letters"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Letters.sections(names: Letters.names))
  }

  func show(_ sections: [LettersSection]) {
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
