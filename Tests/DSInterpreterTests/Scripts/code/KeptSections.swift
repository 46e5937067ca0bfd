// kept: multi, preserving sections
import UIKit

struct Row: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double
  var sold: Date
  var isNew: Bool
  var tags: [String]
}

struct KeptSection: Hashable {
  var title: String?
  var rows: [Row]
}

/// The rows of `kept`, and its sections.
enum Kept {
  static let foods: [Row] = [
    Row(
      name: "Pie",
      kind: "sweet",
      price: 2.5,
      sold: Date(timeIntervalSince1970: 1351814400),
      isNew: true,
      tags: ["a", "b"]
    ),
    Row(
      name: "Carrot",
      kind: "vegetable",
      price: 1,
      sold: Date(timeIntervalSince1970: 1354320000),
      isNew: false,
      tags: ["c"]
    ),
  ]

  static let drinks: [Row] = [
    Row(
      name: "Tea",
      kind: "hot",
      price: 3,
      sold: Date(timeIntervalSince1970: 1351814400),
      isNew: true,
      tags: []
    )
  ]

  /// multi, preserving sections
  static func sections(foods: [Row], drinks: [Row]) -> [KeptSection] {
    let order = KeyPathComparator(\Row.kind, comparator: ComparableComparator<String>())
    var runs: [KeptSection] = []
    for row in foods.sorted(using: order) {
      let title = row.kind
      if let last = runs.indices.last, runs[last].title == title {
        runs[last].rows.append(row)
      } else {
        runs.append(KeptSection(title: title, rows: [row]))
      }
    }
    let sections = runs + [KeptSection(title: "", rows: drinks)]
    return sections
  }
}

final class KeptViewController: UITableViewController {
  private var sections: [KeptSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "kept"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Kept.sections(foods: Kept.foods, drinks: Kept.drinks))
  }

  func show(_ sections: [KeptSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].rows.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let row = sections[indexPath.section].rows[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = row.name
    content.secondaryText = row.kind
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
