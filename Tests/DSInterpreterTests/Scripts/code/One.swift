// one: remote, GET http://example.test/list, at items
import UIKit

struct OneRow: Hashable, Decodable {
  var id: Int
  var name: String
  var tags: [String]
}

struct OneSection: Hashable {
  var title: String?
  var one: [OneRow]
}

/// The rows of `one`, and its sections.
enum One {
  /// Requests the rows.
  static func loadOne() async throws -> [OneRow] {
    guard let components = URLComponents(string: "http://example.test/list")
    else { throw URLError(.badURL) }
    guard let url = components.url else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse,
      (200..<300).contains(response.statusCode)
    else { throw URLError(.badServerResponse) }
    return try decoder.decode(OneResponse.self, from: data).items
  }

  private struct OneResponse: Decodable {
    var items: [OneRow]
  }

  private static let decoder = JSONDecoder()

  /// remote, GET http://example.test/list, at items
  static func sections(one: [OneRow]) -> [OneSection] {
    return [OneSection(title: nil, one: one)]
  }
}

final class OneViewController: UITableViewController {
  private var sections: [OneSection] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "one"
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    load()
  }

  func show(_ sections: [OneSection]) {
    self.sections = sections
    tableView.reloadData()
  }

  override func numberOfSections(in tableView: UITableView) -> Int {
    sections.count
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].one.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let oneRow = sections[indexPath.section].one[indexPath.row]
    var content = cell.defaultContentConfiguration()
    content.text = "\(oneRow.id)"
    content.secondaryText = oneRow.name
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
        let one = try await One.loadOne()
        show(One.sections(one: one))
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
