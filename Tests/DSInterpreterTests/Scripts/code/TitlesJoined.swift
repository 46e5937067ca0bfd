// joined: multi
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
}

struct JoinedSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `joined`, and its sections.
enum Joined {
  static let foods: [Food] = [Food(name: "Pie", kind: "sweet"), Food(name: "Apple", kind: "fruit")]

  /// multi
  static func sections(foods: [Food]) -> [JoinedSection] {
    let fruit = foods.filter { food in food.kind == "fruit" }
    let order = KeyPathComparator(\Food.kind, comparator: ComparableComparator<String>())
    var byKind: [JoinedSection] = []
    for food in foods.sorted(using: order) {
      let title = food.kind
      if let last = byKind.indices.last, byKind[last].title == title {
        byKind[last].foods.append(food)
      } else {
        byKind.append(JoinedSection(title: title, foods: [food]))
      }
    }
    let first = Array(fruit.prefix(1))
    let order2 = KeyPathComparator(\Food.name, comparator: ComparableComparator<String>())
    let best = Array(foods.sorted(using: order2).prefix(1))
    let sections = [
      JoinedSection(title: "Fruit", foods: fruit),
      JoinedSection(title: "ByKind", foods: byKind.flatMap(\.foods)),
      JoinedSection(title: "", foods: first),
      JoinedSection(title: "Best", foods: best),
      JoinedSection(title: "Foods", foods: foods),
    ]
    return sections
  }
}

final class JoinedViewController: UITableViewController {
  private var sections: [JoinedSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "joined"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Joined.sections(foods: Joined.foods))
  }

  func show(_ sections: [JoinedSection]) {
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

// The expectations of the session about joined.
// Add `@testable import` of the app, whose module this test is not part of.
final class JoinedTests: XCTestCase {
  func testSections() throws {
    let foods = Joined.foods
    let sections = Joined.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["Fruit", "ByKind", "", "Best", "Foods"])
    XCTAssertEqual(sections.flatMap(\.foods).count, 7)
  }
}
