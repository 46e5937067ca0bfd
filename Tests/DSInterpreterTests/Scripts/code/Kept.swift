// kept: stale
import UIKit

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
}

struct KeptSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `kept`, and its sections.
enum Kept {
  static let foods: [Food] = [Food(name: "Apple", kind: "fruit")]

  /// stale
  static func sections(foods: [Food]) -> [KeptSection] {
    // The session delays fetches here, for a test.
    // The session lets fetches fail here, for a test.
    // The session keeps the content of the first fetch here, for a test.
    return [KeptSection(title: nil, foods: foods)]
  }
}

final class KeptViewController: UITableViewController {
  private var sections: [KeptSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "kept"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Kept.sections(foods: Kept.foods))
  }

  func show(_ sections: [KeptSection]) {
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
