// ordered: sectioned by kind, groups
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

struct OrderedSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `ordered`, and its sections.
enum Ordered {
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

  /// sectioned by kind, groups
  static func sections(foods: [Food]) -> [OrderedSection] {
    var places: [String?: Int] = [:]
    var sections: [OrderedSection] = []
    for food in foods {
      let title = food.kind
      if let place = places[title] {
        sections[place].foods.append(food)
      } else {
        places[title] = sections.count
        sections.append(OrderedSection(title: title, foods: [food]))
      }
    }
    sections.sort { $0.foods.count > $1.foods.count }
    return sections
  }
}

final class OrderedViewController: UITableViewController {
  private var sections: [OrderedSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "ordered"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Ordered.sections(foods: Ordered.foods))
  }

  func show(_ sections: [OrderedSection]) {
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

// The expectations of the session about ordered.
// Add `@testable import` of the app, whose module this test is not part of.
final class OrderedTests: XCTestCase {
  func testSections() throws {
    let foods = Ordered.foods
    let sections = Ordered.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["sweet", nil])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "Pie")
    XCTAssertEqual(sections[0].foods[1].name, "apple")
    XCTAssertEqual(sections[1].foods[0].name, "Élan")
  }
}
