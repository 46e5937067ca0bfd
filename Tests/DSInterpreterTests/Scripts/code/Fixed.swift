// fixed: sectioned by kind, fixed, sorted by kind in ["sweet", "fruit"], name
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double?
  var sold: Date
}

extension Food {
  /// `place of kind`
  var kindPlace: Int { ["sweet", "fruit"].firstIndex(of: kind) ?? 2 }
}

struct FixedSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `fixed`, and its sections.
enum Fixed {
  static let foods: [Food] = [
    Food(name: "Pie", kind: "sweet", price: 2.5, sold: Date(timeIntervalSince1970: 1351814400)),
    Food(
      name: "Carrot",
      kind: "vegetable",
      price: 1,
      sold: Date(timeIntervalSince1970: 1354320000)
    ),
    Food(name: "Apple", kind: "fruit", price: nil, sold: Date(timeIntervalSince1970: 1353369600)),
    Food(name: "Banana", kind: "fruit", price: 1.25, sold: Date(timeIntervalSince1970: 1357344000)),
    Food(name: "Élan", kind: "sweet", price: 4, sold: Date(timeIntervalSince1970: 1357430400)),
  ]

  /// sectioned by kind, fixed, sorted by kind in ["sweet", "fruit"], name
  static func sections(foods: [Food]) -> [FixedSection] {
    let order = [
      KeyPathComparator(\Food.kindPlace),
      KeyPathComparator(\Food.kind, comparator: ComparableComparator<String>()),
      KeyPathComparator(\Food.name, comparator: ComparableComparator<String>()),
    ]
    let titles = ["fruit", "sweet"]
    var sections = titles.map { FixedSection(title: $0, foods: []) }
    sections.append(FixedSection(title: "#", foods: []))
    let places = Dictionary(uniqueKeysWithValues: zip(titles, 0...))
    for food in foods.sorted(using: order) {
      let place = places[food.kind] ?? titles.count
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
    // Not written: expect foods.numberOfObjects == 5 (it concerns another source than fixed)
    XCTAssertEqual(sections.map(\.title), ["fruit", "sweet", "#"])
    XCTAssertEqual(sections.flatMap(\.foods).count, 5)
  }
}
