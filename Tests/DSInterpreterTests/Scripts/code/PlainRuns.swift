// runs: sectioned by kind, sorted by kind
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String?
  var price: Double
  var sold: Date?
  var isNew: Bool?
  var n: Int?
}

struct RunsSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `runs`, and its sections.
enum Runs {
  static let foods: [Food] = [
    Food(
      name: "Pie",
      kind: "sweet",
      price: 2.5,
      sold: Date(timeIntervalSince1970: 1351814400),
      isNew: true,
      n: 2
    ),
    Food(name: "Élan", kind: nil, price: 1, sold: nil, isNew: false, n: nil),
    Food(
      name: "apple",
      kind: "sweet",
      price: 10,
      sold: Date(timeIntervalSince1970: 1357084800),
      isNew: nil,
      n: 1
    ),
  ]

  /// sectioned by kind, sorted by kind
  static func sections(foods: [Food]) -> [RunsSection] {
    let order = KeyPathComparator(\Food.kind, comparator: ComparableComparator<String>())
    var sections: [RunsSection] = []
    for food in foods.sorted(using: order) {
      let title = food.kind
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].foods.append(food)
      } else {
        sections.append(RunsSection(title: title, foods: [food]))
      }
    }
    return sections
  }
}

final class RunsViewController: UITableViewController {
  private var sections: [RunsSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "runs"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Runs.sections(foods: Runs.foods))
  }

  func show(_ sections: [RunsSection]) {
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

// The expectations of the session about runs.
// Add `@testable import` of the app, whose module this test is not part of.
final class RunsTests: XCTestCase {
  func testSections() throws {
    let foods = Runs.foods
    let sections = Runs.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), [nil, "sweet"])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "Élan")
    XCTAssertEqual(sections[1].foods[0].name, "Pie")
    XCTAssertEqual(sections[1].foods[1].name, "apple")
  }
}
