// preserved: multi, preserving sections
import UIKit
import XCTest

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
}

struct PreservedSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `preserved`, and its sections.
enum Preserved {
  static let foods: [Food] = [Food(name: "Pie", kind: "sweet"), Food(name: "Apple", kind: "fruit")]

  /// multi, preserving sections
  static func sections(foods: [Food]) -> [PreservedSection] {
    let fruit = foods.filter { food in food.kind == "fruit" }
    let order = KeyPathComparator(\Food.kind, comparator: ComparableComparator<String>())
    var byKind: [PreservedSection] = []
    for food in foods.sorted(using: order) {
      let title = food.kind
      if let last = byKind.indices.last, byKind[last].title == title {
        byKind[last].foods.append(food)
      } else {
        byKind.append(PreservedSection(title: title, foods: [food]))
      }
    }
    let order2 = KeyPathComparator(\Food.name, comparator: ComparableComparator<String>())
    let best = Array(foods.sorted(using: order2).prefix(1))
    let sections =
      [PreservedSection(title: "Foods", foods: fruit)]
      + byKind
      + [PreservedSection(title: "", foods: best)]
    return sections
  }
}

final class PreservedViewController: UITableViewController {
  private var sections: [PreservedSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "preserved"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Preserved.sections(foods: Preserved.foods))
  }

  func show(_ sections: [PreservedSection]) {
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

// The expectations of the session about preserved.
// Add `@testable import` of the app, whose module this test is not part of.
final class PreservedTests: XCTestCase {
  func testSections() throws {
    let foods = Preserved.foods
    let sections = Preserved.sections(foods: foods)
    XCTAssertEqual(sections.map(\.title), ["Foods", "fruit", "sweet", ""])
    XCTAssertEqual(sections.flatMap(\.foods).count, 4)
  }
}
