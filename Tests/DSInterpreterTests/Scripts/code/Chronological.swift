// byTime: organized chronologically by sold, sorted by sold
import UIKit

struct Food: Hashable, Decodable {
  var name: String
  var kind: String
  var price: Double
  var sold: Date
  var isNew: Bool
  var tags: [String]
}

struct ByTimeSection: Hashable {
  var title: String?
  var foods: [Food]
}

/// The rows of `byTime`, and its sections.
enum ByTime {
  static let foods: [Food] = [
    Food(
      name: "Pie",
      kind: "sweet",
      price: 2.5,
      sold: Date(timeIntervalSince1970: 1351814400),
      isNew: true,
      tags: ["a", "b"]
    ),
    Food(
      name: "Carrot",
      kind: "vegetable",
      price: 1,
      sold: Date(timeIntervalSince1970: 1354320000),
      isNew: false,
      tags: ["c"]
    ),
  ]

  /// organized chronologically by sold, sorted by sold
  static func sections(foods: [Food]) -> [ByTimeSection] {
    var places: [String?: Int] = [:]
    var sections: [ByTimeSection] = []
    for food in foods.sorted(using: KeyPathComparator(\Food.sold)) {
      let title = month(of: food.sold)
      if let place = places[title] {
        sections[place].foods.append(food)
      } else {
        places[title] = sections.count
        sections.append(ByTimeSection(title: title, foods: [food]))
      }
    }
    sections.sort { ($0.title ?? "") < ($1.title ?? "") }
    for index in sections.indices {
      sections[index].title = sections[index].title.map { name(ofMonth: $0) }
    }
    return sections
  }

  /// The title of the month of a date.
  private static func month(of date: Date) -> String {
    let parts = Calendar.gmt.dateComponents([.year, .month], from: date)
    return String(format: "%04d-%02d", parts.year ?? 0, parts.month ?? 0)
  }

  /// `November 2012` for `2012-11`.
  private static func name(ofMonth title: String) -> String {
    let parts = title.split(separator: "-").compactMap { Int($0) }
    return "\(Calendar.gmt.standaloneMonthSymbols[parts[1] - 1]) \(parts[0])"
  }
}

extension Calendar {
  /// Weeks of ISO 8601, in GMT, with English names.
  static let gmt: Calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    calendar.locale = Locale(identifier: "en_US_POSIX")
    return calendar
  }()
}

final class ByTimeViewController: UITableViewController {
  private lazy var dataSource = ByTimeDataSource(tableView: tableView) {
    tableView, indexPath, item in
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let food = item.value
    var content = cell.defaultContentConfiguration()
    content.text = food.name
    content.secondaryText = food.kind
    cell.contentConfiguration = content
    return cell
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "byTime"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    show(ByTime.sections(foods: ByTime.foods), animated: false)
  }

  func show(_ sections: [ByTimeSection], animated: Bool = true) {
    dataSource.apply(ByTimeDataSource.snapshot(of: sections), animatingDifferences: animated)
  }
}

final class ByTimeDataSource: UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<Food>> {
  static func snapshot(
    of sections: [ByTimeSection]
  ) -> NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Food>> {
    var snapshot = NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<Food>>()
    var rows = sections.flatMap(\.foods).occurrences()[...]
    for (section, identifier) in zip(sections, sections.map(\.title).occurrences()) {
      snapshot.appendSections([identifier])
      snapshot.appendItems(Array(rows.prefix(section.foods.count)), toSection: identifier)
      rows = rows.dropFirst(section.foods.count)
    }
    return snapshot
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    snapshot().sectionIdentifiers[section].value
  }

  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    snapshot().sectionIdentifiers.map { $0.value?.prefix(1).uppercased() ?? "" }
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    index
  }
}

/// A value and its number among equal ones: a snapshot must not contain an identifier twice.
struct Occurrence<Value: Hashable & Sendable>: Hashable, Sendable {
  var value: Value
  var number: Int
}

extension Sequence where Element: Hashable & Sendable {
  func occurrences() -> [Occurrence<Element>] {
    var counts: [Element: Int] = [:]
    return map { value in
      counts[value, default: 0] += 1
      return Occurrence(value: value, number: counts[value, default: 0])
    }
  }
}
