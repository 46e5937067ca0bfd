// offsets: paginated, GET http://example.test/list, at items, pages of 2 by offset
import UIKit

struct Offset: Hashable, Decodable {
  var id: Int
  var name: String
  var tags: [String]
}

struct OffsetsSection: Hashable {
  var title: String?
  var offsets: [Offset]
}

/// The rows of `offsets`, and its sections.
enum Offsets {
  /// Requests one page of the rows.
  static func loadOffsets(offset: Int) async throws -> [Offset] {
    guard var components = URLComponents(string: "http://example.test/list")
    else { throw URLError(.badURL) }
    components.queryItems = [
      URLQueryItem(name: "offset", value: "\(offset)"),
      URLQueryItem(name: "limit", value: "2"),
    ]
    guard let url = components.url else { throw URLError(.badURL) }
    let request = URLRequest(url: url)
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse,
      (200..<300).contains(response.statusCode)
    else { throw URLError(.badServerResponse) }
    return try decoder.decode(OffsetsResponse.self, from: data).items
  }

  private struct OffsetsResponse: Decodable {
    var items: [Offset]
  }

  private static let decoder = JSONDecoder()

  /// paginated, GET http://example.test/list, at items, pages of 2 by offset
  static func sections(offsets: [Offset]) -> [OffsetsSection] {
    return [OffsetsSection(title: nil, offsets: offsets)]
  }
}

final class OffsetsViewController: UITableViewController {
  private var sections: [OffsetsSection] = []

  private var offsets: [Offset] = []
  private var offset = 0
  private var hasMorePages = true
  private var isLoading = false

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "offsets"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    load()
  }

  func show(_ sections: [OffsetsSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].offsets.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let offsetRow = sections[indexPath.section].offsets[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = "\(offsetRow.id)"
    content.secondaryText = offsetRow.name
    cell.contentConfiguration = content
    return cell
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    sections[section].title
  }

  private func load() {
    isLoading = true
    Task {
      defer { isLoading = false }
      do {
        let new = try await Offsets.loadOffsets(offset: offset)
        hasMorePages = !new.isEmpty
        offsets += new
        offset = offsets.count
        show(Offsets.sections(offsets: offsets))
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
