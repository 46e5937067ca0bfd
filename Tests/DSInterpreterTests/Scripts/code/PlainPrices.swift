// prices: sectioned by price, sorted by price
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

struct PricesSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `prices`, and its sections.
enum Prices {
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

  /// sectioned by price, sorted by price
  static func sections(foods: [Food]) -> [PricesSection] {
    var sections: [PricesSection] = []
    for food in foods.sorted(using: KeyPathComparator(\Food.price)) {
      let title = text(of: food.price)
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].foods.append(food)
      } else {
        sections.append(PricesSection(title: title, foods: [food]))
      }
    }
    return sections
  }

  /// `2` for 2.0, which Swift writes with a fraction.
  private static func text(of number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

final class PricesViewController: UITableViewController {
  private var sections: [PricesSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "prices"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Prices.sections(foods: Prices.foods))
  }

  func show(_ sections: [PricesSection]) {
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

// The expectations of the session about prices.
// Add `@testable import` of the app, whose module this test is not part of.
final class PricesTests: XCTestCase {
  func testSections() throws {
    let foods = Prices.foods
    let sections = Prices.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["1", "2.5", "10"])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "Élan")
    XCTAssertEqual(sections[1].foods[0].name, "Pie")
    XCTAssertEqual(sections[2].foods[0].name, "apple")
  }
}
