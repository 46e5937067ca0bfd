// second: remote, GET http://example.test/list?page=2&q=b, at items
import UIKit

struct SecondRow: Hashable, Decodable {
  var id: Int
  var name: String
  var tags: [String]
}

struct SecondSection: Hashable {
  var title: String?
  var second: [SecondRow]
}

/// The rows of `second`, and its sections.
enum Second {
  /// Requests the rows.
  static func loadSecond() async throws -> [SecondRow] {
    guard var components = URLComponents(string: "http://example.test/list?page=2")
    else { throw URLError(.badURL) }
    let items = components.queryItems ?? []
    let more = [URLQueryItem(name: "q", value: "b")]
    components.queryItems = items + more
    guard let url = components.url else { throw URLError(.badURL) }
    let request = URLRequest(url: url)
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse,
      (200..<300).contains(response.statusCode)
    else { throw URLError(.badServerResponse) }
    return try decoder.decode(SecondResponse.self, from: data).items
  }

  private struct SecondResponse: Decodable {
    var items: [SecondRow]
  }

  private static let decoder = JSONDecoder()

  /// remote, GET http://example.test/list?page=2&q=b, at items
  static func sections(second: [SecondRow]) -> [SecondSection] {
    return [SecondSection(title: nil, second: second)]
  }
}

final class SecondViewController: UITableViewController {
  private var sections: [SecondSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "second"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    load()
  }

  func show(_ sections: [SecondSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].second.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let secondRow = sections[indexPath.section].second[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = "\(secondRow.id)"
    content.secondaryText = secondRow.name
    cell.contentConfiguration = content
    return cell
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    sections[section].title
  }

  private func load() {
    Task {
      do {
        let second = try await Second.loadSecond()
        show(Second.sections(second: second))
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
}
