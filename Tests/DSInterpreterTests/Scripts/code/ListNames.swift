// names: sectioned by name.firstCharacter, sorted by name
import UIKit
import XCTest

struct ListRow: Hashable, Decodable {
  var id: Int
  var name: String
  var tags: [String]
}

extension ListRow {
  /// `name.firstCharacter`
  var nameFirstCharacter: String? { name.first.map { String($0) } }
}

struct NamesSection: Hashable {
  var title: String?
  var list: [ListRow]
}

/// The rows of `names`, and its sections.
enum Names {
  /// Requests one page of the rows.
  static func loadList(page: Int) async throws -> [ListRow] {
    guard var components = URLComponents(string: "http://example.test/list")
    else { throw URLError(.badURL) }
    components.queryItems = [
      URLQueryItem(name: "q", value: "a \"b\" & c"),
      URLQueryItem(name: "page", value: "\(page)"),
    ]
    guard let url = components.url else { throw URLError(.badURL) }
    let request = URLRequest(url: url)
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse,
      (200..<300).contains(response.statusCode)
    else { throw URLError(.badServerResponse) }
    return try decoder.decode(ListResponse.self, from: data).items
  }

  private struct ListResponse: Decodable {
    var items: [ListRow]
  }

  private static let decoder = JSONDecoder()

  /// sectioned by name.firstCharacter, sorted by name
  static func sections(list: [ListRow]) -> [NamesSection] {
    let order = KeyPathComparator(\ListRow.name, comparator: ComparableComparator<String>())
    var sections: [NamesSection] = []
    for listRow in list.sorted(using: order) {
      let title = listRow.nameFirstCharacter
      if let last = sections.indices.last, sections[last].title == title {
        sections[last].list.append(listRow)
      } else {
        sections.append(NamesSection(title: title, list: [listRow]))
      }
    }
    return sections
  }
}

final class NamesViewController: UITableViewController {
  private lazy var dataSource = NamesDataSource(tableView: tableView) {
    tableView, indexPath, item in
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let listRow = item.value
    var content = cell.defaultContentConfiguration()
    content.text = "\(listRow.id)"
    content.secondaryText = listRow.name
    cell.contentConfiguration = content
    return cell
  }

  private var list: [ListRow] = []
  private var page = 1
  private var hasMorePages = true
  private var isLoading = false

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "names"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    load()
  }

  func show(_ sections: [NamesSection], animated: Bool = true) {
    dataSource.apply(NamesDataSource.snapshot(of: sections), animatingDifferences: animated)
  }

  private func load() {
    isLoading = true
    Task {
      defer { isLoading = false }
      do {
        let new = try await Names.loadList(page: page)
        hasMorePages = !new.isEmpty
        list += new
        page += 1
        show(Names.sections(list: list))
      } catch {
        show(error)
      }
    }
  }

  private func show(_ error: any Error) {
    let message = error.localizedDescription
    let alert = UIAlertController(title: nil, message: message, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    present(alert, animated: true)
  }

  /// Requests the next page when the last row appears.
  override func tableView(
    _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
  ) {
    let isLast =
      indexPath.section == tableView.numberOfSections - 1
      && indexPath.row == tableView.numberOfRows(inSection: indexPath.section) - 1
    if isLast, hasMorePages, !isLoading { load() }
  }
}

final class NamesDataSource:
  UITableViewDiffableDataSource<Occurrence<String?>, Occurrence<ListRow>>
{
  static func snapshot(
    of sections: [NamesSection]
  ) -> NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<ListRow>> {
    var snapshot = NSDiffableDataSourceSnapshot<Occurrence<String?>, Occurrence<ListRow>>()
    var rows = sections.flatMap(\.list).occurrences()[...]
    for (section, identifier) in zip(sections, sections.map(\.title).occurrences()) {
      snapshot.appendSections([identifier])
      snapshot.appendItems(Array(rows.prefix(section.list.count)), toSection: identifier)
      rows = rows.dropFirst(section.list.count)
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

// The expectations of the session about names.
// Add `@testable import` of the app, whose module this test is not part of.
final class NamesTests: XCTestCase {
  func testSections() throws {
    let list: [ListRow] = [
      ListRow(id: 1, name: "Ann", tags: ["a", "b"]),
      ListRow(id: 2, name: "Bo", tags: ["c"]),
    ]
    let sections = Names.sections(list: list)
    XCTAssertEqual(sections.map(\.title), ["A", "B"])
  }
}
