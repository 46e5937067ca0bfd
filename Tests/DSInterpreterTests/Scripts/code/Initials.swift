// initials: sectioned by name.firstCharacter, sorted by name
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
}

extension Food {
  /// `name.firstCharacter`
  var nameFirstCharacter: String? { name.first.map { String($0) } }
}

struct InitialsSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `initials`, and its sections.
enum Initials {
  static let foods: [Food] = [Food(name: "Pie", kind: "sweet"), Food(name: "Apple", kind: "fruit")]

  /// sectioned by name.firstCharacter, sorted by name
  static func sections(foods: [Food]) -> [InitialsSection] {
    // The session delays fetches here, for a test.
    // The session lets fetches fail here, for a test.
    // The session keeps the content of the first fetch here, for a test.
    let order = KeyPathComparator(\Food.name, comparator: ComparableComparator<String>())
    var sections: [InitialsSection] = []
    for food in foods.sorted(using: order) {
      let title = food.nameFirstCharacter
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].foods.append(food)
      } else {
        sections.append(InitialsSection(title: title, foods: [food]))
      }
    }
    return sections
  }
}

final class InitialsViewController: UITableViewController {
  private var sections: [InitialsSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "initials"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Initials.sections(foods: Initials.foods))
  }

  func show(_ sections: [InitialsSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].foods.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let food = sections[indexPath.section].foods[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = food.name
    content.secondaryText = food.kind
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

// The expectations of the session about initials.
// Add `@testable import` of the app, whose module this test is not part of.
final class InitialsTests: XCTestCase {
  func testSections() throws {
    let foods = Initials.foods
    let sections = Initials.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["A", "P"])
  }
}
