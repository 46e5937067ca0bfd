// kinds: distinct by kind
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

struct KindsSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `kinds`, and its sections.
enum Kinds {
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

  /// distinct by kind
  static func sections(foods: [Food]) -> [KindsSection] {
    var seen: Set<String?> = []
    let foodsShown = foods.filter { food in seen.insert(food.kind).inserted }
    return [KindsSection(title: nil, foods: foodsShown)]
  }
}

final class KindsViewController: UITableViewController {
  private var sections: [KindsSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "kinds"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Kinds.sections(foods: Kinds.foods))
  }

  func show(_ sections: [KindsSection]) {
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
}

// The expectations of the session about kinds.
// Add `@testable import` of the app, whose module this test is not part of.
final class KindsTests: XCTestCase {
  func testSections() throws {
    let foods = Kinds.foods
    let sections = Kinds.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), [nil])
    XCTAssertEqual(sections.flatMap(\.foods).count, 2)
    XCTAssertEqual(sections[0].foods[0].name, "Pie")
    XCTAssertEqual(sections[0].foods[1].name, "Élan")
  }
}
