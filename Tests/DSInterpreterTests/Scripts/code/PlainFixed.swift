// fixed: sectioned by kind, fixed
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

struct FixedSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `fixed`, and its sections.
enum Fixed {
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

  /// sectioned by kind, fixed
  static func sections(foods: [Food]) -> [FixedSection] {
    let titles = ["hot", "sweet"]
    var sections = titles.map { FixedSection(title: $0, foods: []) }
    sections.append(FixedSection(title: "#", foods: []))
    let places = Dictionary(uniqueKeysWithValues: zip(titles, 0...))
    for food in foods {
      let place = (food.kind).flatMap { places[$0] } ?? titles.count
      sections[place].foods.append(food)
    }
    if sections.last?.foods.isEmpty == true { sections.removeLast() }
    return sections
  }
}

final class FixedViewController: UITableViewController {
  private var sections: [FixedSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "fixed"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Fixed.sections(foods: Fixed.foods))
  }

  func show(_ sections: [FixedSection]) {
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

// The expectations of the session about fixed.
// Add `@testable import` of the app, whose module this test is not part of.
final class FixedTests: XCTestCase {
  func testSections() throws {
    let foods = Fixed.foods
    let sections = Fixed.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["hot", "sweet", "#"])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[1].foods[0].name, "Pie")
    XCTAssertEqual(sections[1].foods[1].name, "apple")
    XCTAssertEqual(sections[2].foods[0].name, "Élan")
  }
}
