// hidden: collated by name
import UIKit

struct PeopleRow: Hashable, Decodable {
  var name: String
  var born: Int?
}

struct HiddenSection: Hashable {
  var title: String?
  var people: [PeopleRow]
}

/// The rows of `hidden`, and its sections.
enum Hidden {
  static let people: [PeopleRow] = [
    PeopleRow(name: "Ann", born: 1990),
    PeopleRow(name: "Zoe", born: nil),
  ]

  /// collated by name
  @MainActor
  static func sections(people: [PeopleRow]) -> [HiddenSection] {
    let collation = UILocalizedIndexedCollation.current()
    var sections = collation.sectionTitles.map { HiddenSection(title: $0, people: []) }
    let shown =
      people
      .sorted(using: KeyPathComparator(\PeopleRow.name, comparator: .localizedStandard))
    for peopleRow in shown {
      let name = peopleRow.name as NSString
      let selector = #selector(getter: NSObjectProtocol.description)
      let place = collation.section(for: name, collationStringSelector: selector)
      sections[place].people.append(peopleRow)
    }
    sections.removeAll(where: \.people.isEmpty)
    return sections
  }
}

final class HiddenViewController: UITableViewController {
  private var sections: [HiddenSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "hidden"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(Hidden.sections(people: Hidden.people))
  }

  func show(_ sections: [HiddenSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].people.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let peopleRow = sections[indexPath.section].people[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = peopleRow.name
    content.secondaryText = peopleRow.born.map { "\($0)" }
    cell.contentConfiguration = content
    return cell
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    sections[section].title
  }

  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    UILocalizedIndexedCollation.current().sectionIndexTitles
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    let collation = UILocalizedIndexedCollation.current()
    let place = collation.section(forSectionIndexTitle: index)
    // The title of a hidden section leads to the nearest section before it.
    let titles = collation.sectionTitles[...place]
    let shown = sections.map { $0.title ?? "" }
    return shown.lastIndex(where: titles.contains) ?? 0
  }
}
