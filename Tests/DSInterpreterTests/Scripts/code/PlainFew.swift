// few: limit 2, offset 1
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

struct FewSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `few`, and its sections.
enum Few {
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

  /// limit 2, offset 1
  static func sections(foods: [Food]) -> [FewSection] {
    let foodsShown = Array(foods.dropFirst(1).prefix(2))
    return [FewSection(title: nil, foods: foodsShown)]
  }
}

final class FewViewController: UITableViewController {
  private var sections: [FewSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "few"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Few.sections(foods: Few.foods))
  }

  func show(_ sections: [FewSection]) {
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

// The expectations of the session about few.
// Add `@testable import` of the app, whose module this test is not part of.
final class FewTests: XCTestCase {
  func testSections() throws {
    let foods = Few.foods
    let sections = Few.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), [nil])
    XCTAssertEqual(sections.flatMap(\.foods).count, 2)
    XCTAssertEqual(sections[0].foods[0].name, "Élan")
    XCTAssertEqual(sections[0].foods[1].name, "apple")
  }
}
