// listed: sectioned, sorted by kind in ["sweet", "hot"], name desc numeric
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

extension Food {
  /// `place of kind`
  var kindPlace: Int { kind.map { ["sweet", "hot"].firstIndex(of: $0) ?? 2 } ?? -1 }
}

struct ListedSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `listed`, and its sections.
enum Listed {
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

  /// sectioned, sorted by kind in ["sweet", "hot"], name desc numeric
  static func sections(foods: [Food]) -> [ListedSection] {
    let order = [
      KeyPathComparator(\Food.kindPlace),
      KeyPathComparator(\Food.kind, comparator: ComparableComparator<String>()),
      KeyPathComparator(
        \Food.name,
        comparator: String.Comparator(options: .numeric, locale: nil),
        order: .reverse
      ),
    ]
    let foodsShown = foods.sorted(using: order)
    return [ListedSection(title: nil, foods: foodsShown)]
  }
}

final class ListedViewController: UITableViewController {
  private var sections: [ListedSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "listed"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Listed.sections(foods: Listed.foods))
  }

  func show(_ sections: [ListedSection]) {
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

// The expectations of the session about listed.
// Add `@testable import` of the app, whose module this test is not part of.
final class ListedTests: XCTestCase {
  func testSections() throws {
    let foods = Listed.foods
    let sections = Listed.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), [nil])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "Élan")
    XCTAssertEqual(sections[0].foods[1].name, "apple")
    XCTAssertEqual(sections[0].foods[2].name, "Pie")
  }
}
