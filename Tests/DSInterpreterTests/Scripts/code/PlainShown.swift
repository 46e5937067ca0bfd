// shown: filtered by price > 5
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

struct ShownSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `shown`, and its sections.
enum Shown {
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

  /// filtered by price > 5
  static func sections(foods: [Food]) -> [ShownSection] {
    let order = KeyPathComparator(\Food.kind, comparator: ComparableComparator<String>())
    var runs: [ShownSection] = []
    for food in foods.sorted(using: order) {
      let title = food.kind
      if let last = runs.indices.last, runs[last].title == title {
        runs[last].foods.append(food)
      } else {
        runs.append(ShownSection(title: title, foods: [food]))
      }
    }
    var sections = runs
    for index in sections.indices {
      sections[index].foods.removeAll { food in !(food.price > 5) }
    }
    return sections
  }
}

final class ShownViewController: UITableViewController {
  private var sections: [ShownSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "shown"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Shown.sections(foods: Shown.foods))
  }

  func show(_ sections: [ShownSection]) {
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

// The expectations of the session about shown.
// Add `@testable import` of the app, whose module this test is not part of.
final class ShownTests: XCTestCase {
  func testSections() throws {
    let foods = Shown.foods
    let sections = Shown.sections(foods: foods)
    // Not written: expect runs.sectionTitles == [null, "sweet"] (it concerns another source than
    // shown)
    // Not written: expect runs.numberOfObjects == 3 (it concerns another source than shown)
    // Not written: expect runs[0, 0].name == "Élan" (it concerns another source than shown)
    // Not written: expect runs[1, 0].name == "Pie" (it concerns another source than shown)
    // Not written: expect runs[1, 1].name == "apple" (it concerns another source than shown)
    XCTAssertEqual(sections.map(\.title), [nil, "sweet"])
    XCTAssertEqual(sections.flatMap(\.foods).count, 1)
    XCTAssertEqual(sections[1].foods[0].name, "apple")
  }
}
