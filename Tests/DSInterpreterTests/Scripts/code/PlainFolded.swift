// folded: sectioned, sorted by price desc, where name BEGINSWITH[cd] "e" or name MATCHES[c] "a.*"
// or (price >= 2 and price < 3)
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
  /// `name BEGINSWITH[cd] "e" or name MATCHES[c] "a.*" or (price >= 2 and price < 3)`
  var isMatch: Bool {
    name.range(of: "e", options: [.caseInsensitive, .diacriticInsensitive, .anchored]) != nil
      || name.range(of: "^(?:a.*)\\z", options: [.caseInsensitive, .regularExpression]) != nil
      || (price >= 2 && price < 3)
  }
}

struct FoldedSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `folded`, and its sections.
enum Folded {
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

  /// sectioned, sorted by price desc, where name BEGINSWITH[cd] "e" or name MATCHES[c] "a.*" or
  /// (price >= 2 and price < 3)
  static func sections(foods: [Food]) -> [FoldedSection] {
    let foodsShown =
      foods
      .filter(\.isMatch)
      .sorted(using: KeyPathComparator(\Food.price, order: .reverse))
    return [FoldedSection(title: nil, foods: foodsShown)]
  }
}

final class FoldedViewController: UITableViewController {
  private var sections: [FoldedSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "folded"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Folded.sections(foods: Folded.foods))
  }

  func show(_ sections: [FoldedSection]) {
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

// The expectations of the session about folded.
// Add `@testable import` of the app, whose module this test is not part of.
final class FoldedTests: XCTestCase {
  func testSections() throws {
    let foods = Folded.foods
    let sections = Folded.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), [nil])
    XCTAssertEqual(sections.flatMap(\.foods).count, 3)
    XCTAssertEqual(sections[0].foods[0].name, "apple")
    XCTAssertEqual(sections[0].foods[1].name, "Pie")
    XCTAssertEqual(sections[0].foods[2].name, "Élan")
  }
}
