// byName: sectioned by name, sorted by name
import UIKit
import XCTest

struct PeopleRow: Hashable, Decodable {
  var id: Int
  var name: String
  var v: Int
}

struct ByNameSection: Hashable {
  var title: String?
  var people: [PeopleRow]
}

/// The rows of `byName`, and its sections.
enum ByName {
  /// Reads people.json, which the command `save people people.json` of dsshell writes.
  static func loadPeople(from url: URL) throws -> [PeopleRow] {
    try decoder.decode([PeopleRow].self, from: Data(contentsOf: url))
  }

  private static let decoder = JSONDecoder()

  /// sectioned by name, sorted by name
  static func sections(people: [PeopleRow]) -> [ByNameSection] {
    let order = KeyPathComparator(\PeopleRow.name, comparator: ComparableComparator<String>())
    var sections: [ByNameSection] = []
    for peopleRow in people.sorted(using: order) {
      let title = peopleRow.name
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].people.append(peopleRow)
      } else {
        sections.append(ByNameSection(title: title, people: [peopleRow]))
      }
    }
    return sections
  }
}

final class ByNameViewController: UITableViewController {
  private var sections: [ByNameSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "byName"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    load()
  }

  func show(_ sections: [ByNameSection]) {
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
    content.text = "\(peopleRow.id)"
    content.secondaryText = peopleRow.name
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

  private func load() {
    Task {
      do {
        guard let url = Bundle.main.url(forResource: "people", withExtension: "json")
        else { throw CocoaError(.fileNoSuchFile) }
        let people = try ByName.loadPeople(from: url)
        show(ByName.sections(people: people))
      } catch {
        show(error)
      }
    }
  }

  private func show(_ error: any Error) {
    let message = error.localizedDescription
    let alert = UIAlertController(title: nil, message: message, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    present(alert, animated: true)
  }
}

// The expectations of the session about byName.
// Add `@testable import` of the app, whose module this test is not part of.
final class ByNameTests: XCTestCase {
  func testSections() throws {
    let people: [PeopleRow] = [
      PeopleRow(id: 1, name: "Ann", v: 10),
      PeopleRow(id: 3, name: "Cy", v: 31),
      PeopleRow(id: 4, name: "Dee", v: 40),
    ]
    let sections = ByName.sections(people: people)
    XCTAssertEqual(sections[0].people[0].v, 10)
  }
}
