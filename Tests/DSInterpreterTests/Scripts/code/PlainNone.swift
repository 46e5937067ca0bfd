// none: filtered by price > 100
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

struct NoneSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `none`, and its sections.
enum None {
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

  /// filtered by price > 100
  static func sections(foods: [Food]) -> [NoneSection] {
    let order = KeyPathComparator(\Food.kind, comparator: ComparableComparator<String>())
    var runs: [NoneSection] = []
    for food in foods.sorted(using: order) {
      let title = food.kind
      if let last = runs.indices.last, runs[last].title == title {
        runs[last].foods.append(food)
      } else {
        runs.append(NoneSection(title: title, foods: [food]))
      }
    }
    var sections = runs
    for index in sections.indices {
      sections[index].foods.removeAll { food in !(food.price > 100) }
    }
    sections.removeAll(where: \.foods.isEmpty)
    return sections
  }
}

final class NoneViewController: UITableViewController {
  private var sections: [NoneSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "none"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(None.sections(foods: None.foods))
  }

  func show(_ sections: [NoneSection]) {
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

// The expectations of the session about none.
// Add `@testable import` of the app, whose module this test is not part of.
final class NoneTests: XCTestCase {
  func testSections() throws {
    let foods = None.foods
    let sections = None.sections(foods: foods)
    // Not written: expect runs.sectionTitles == [null, "sweet"] (it concerns another source than
    // none)
    // Not written: expect runs.numberOfObjects == 3 (it concerns another source than none)
    // Not written: expect runs[0, 0].name == "Élan" (it concerns another source than none)
    // Not written: expect runs[1, 0].name == "Pie" (it concerns another source than none)
    // Not written: expect runs[1, 1].name == "apple" (it concerns another source than none)
    XCTAssertEqual(sections.map(\.title), [])
    XCTAssertEqual(sections.flatMap(\.foods).count, 0)
  }
}
