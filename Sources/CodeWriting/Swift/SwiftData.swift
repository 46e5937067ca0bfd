import DataSources
import DataTables

/// The origin of the rows of an app: literals, a file of the app, or a request.
struct SwiftData {
  let source: ChainSource
  let name: String
  let row: SwiftRow

  /// - Throws: ``CodeRefusal`` for data that plain code does not read.
  static func check(_ source: ChainSource) throws(CodeRefusal) {
    switch source.form {
    case .table:
      throw refusal(ofTable: source)
    case .remote(let remote):
      try source.checkIdentity()
      if remote.request.body != nil {
        throw CodeRefusal(
          "\(source.name) sends a POST, which the code of an app writes in its own way",
          use: "library")
      }
      if let paging = remote.paging, ![.page, .offset].contains(paging.style) {
        throw CodeRefusal(
          "\(source.name) has pages by \(paging.style.rawValue), which need state between requests",
          use: "library")
      }
      if let path = remote.options.keyPath, keys(path) == nil {
        throw CodeRefusal(
          "the key path `\(path)` of \(source.name) has no counterpart in Decodable",
          use: "library")
      }
    default: break
    }
  }

  static func refusal(ofTable source: ChainSource) -> CodeRefusal {
    CodeRefusal(
      "\(source.name) is data of a database, which an app keeps with Core Data",
      use: "fetchedResults")
  }

  private static func keys(_ path: ObjectKeyPath) -> [String]? {
    let keys = path.steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
    return keys.count == path.steps.count ? keys : nil
  }

  /// Whether the rows are in the code.
  var isLiteral: Bool {
    if case .simple(let objects, _) = source.form {
      objects.count <= ChainSource.mostRows
    } else {
      false
    }
  }

  /// The name of the file in the app, without its extension.
  var resource: String { source.name }

  func add(to text: inout CodeText) {
    switch source.form {
    case .simple(let objects, _) where isLiteral:
      text.call(
        "static let \(name): [\(row.type)] = [", objects.map(row.literal), close: "]",
        trailingComma: true)
    case .remote(let remote): add(remote, to: &text)
    default:
      text.comment(
        "Reads \(resource).json, which the command `save \(source.name) \(resource).json` of "
          + "dsshell writes.", sign: "///")
      text.block("static func \(loader)(from url: URL) throws -> [\(row.type)]") { text in
        text.add("try decoder.decode([\(row.type)].self, from: Data(contentsOf: url))")
      }
      text.separate()
      addDecoder(to: &text)
    }
  }

  /// The function that reads or requests the rows.
  var loader: String { "load" + SwiftLiteral.identifiers.upper(name) }

  private func addDecoder(to text: inout CodeText) {
    guard let form = Self.dateForm(row.shape) else {
      return text.add("private static let decoder = JSONDecoder()")
    }
    text.block("private static let decoder: JSONDecoder = {", close: "}()") { text in
      text.add("let decoder = JSONDecoder()")
      switch form {
      case .instant: text.add("decoder.dateDecodingStrategy = .iso8601")
      case .day, .varied:
        text.block("decoder.dateDecodingStrategy = .custom { decoder in", close: "}") { text in
          text.add("let text = try decoder.singleValueContainer().decode(String.self)")
          text.add("let day = Date.ISO8601FormatStyle().year().month().day()")
          text.add("if let date = try? Date(text, strategy: .iso8601) { return date }")
          text.add("return try Date(text, strategy: day)")
        }
      }
      text.add("return decoder")
    }
  }

  /// The form of the dates in a shape; nil without dates.
  static func dateForm(_ shape: ValueShape) -> ValueShape.DateForm? {
    switch shape.kind {
    case .date(let form): return form
    case .array(let element): return dateForm(element)
    case .record(let fields):
      let forms = fields.compactMap { dateForm($0.shape) }
      guard let first = forms.first else { return nil }
      return forms.allSatisfy { $0 == first } ? first : .varied
    default: return nil
    }
  }

  private func add(_ remote: RemoteForm, to text: inout CodeText) {
    let keys = remote.options.keyPath.flatMap(Self.keys) ?? []
    let page = remote.paging.map { $0.style == .offset ? "offset" : "page" }
    text.comment(
      page == nil ? "Requests the rows." : "Requests one page of the rows.", sign: "///")
    text.block(
      "static func \(loader)(\(page.map { "\($0): Int" } ?? "")) async throws -> [\(row.type)]"
    ) { text in
      text.add(
        "guard var components = URLComponents(string: \(SwiftLiteral.string(remote.request.url)))")
      text.add("else { throw URLError(.badURL) }")
      var items = remote.request.query.map { parameter -> Argument in
        .call(
          "URLQueryItem(",
          [
            .text("name: \(SwiftLiteral.string(parameter.name))"),
            .text("value: \(Self.value(parameter.value))"),
          ])
      }
      if let paging = remote.paging, let page {
        let name = SwiftLiteral.string(paging.parameter ?? paging.style.rawValue)
        items.append(.text("URLQueryItem(name: \(name), value: \"\\(\(page))\")"))
        if let size = paging.pageSize {
          let usual = paging.style == .offset ? "limit" : "page_size"
          let name = SwiftLiteral.string(paging.sizeParameter ?? usual)
          items.append(.text("URLQueryItem(name: \(name), value: \"\(size)\")"))
        }
      }
      if items.isEmpty {
        text.replaceLast("guard var", with: "guard let")
      } else if remote.request.url.contains("?") {
        text.add("let items = components.queryItems ?? []")
        text.call("let more = [", items, close: "]", trailingComma: true)
        text.add("components.queryItems = items + more")
      } else {
        text.call("components.queryItems = [", items, close: "]", trailingComma: true)
      }
      text.add("guard let url = components.url else { throw URLError(.badURL) }")
      text.add(
        "\(remote.request.headers.isEmpty ? "let" : "var") request = URLRequest(url: url)")
      for header in remote.request.headers {
        let name = SwiftLiteral.string(header.name)
        text.add(
          "request.setValue(\(Self.value(header.value)), forHTTPHeaderField: \(name))")
      }
      text.add("let (data, response) = try await URLSession.shared.data(for: request)")
      text.add("guard let response = response as? HTTPURLResponse,")
      text.add("  (200..<300).contains(response.statusCode)")
      text.add("else { throw URLError(.badServerResponse) }")
      let type = keys.isEmpty ? "[\(row.type)]" : "\(SwiftLiteral.identifiers.upper(name))Response"
      let path = keys.map { "." + SwiftLiteral.identifiers.lower($0) }.joined()
      text.add("return try decoder.decode(\(type).self, from: data)\(path)")
    }
    if !keys.isEmpty {
      text.separate()
      addResponse(keys[...], named: SwiftLiteral.identifiers.upper(name) + "Response", to: &text)
    }
    text.separate()
    addDecoder(to: &text)
  }

  /// The structs around the rows of a response.
  private func addResponse(_ keys: ArraySlice<String>, named type: String, to text: inout CodeText)
  {
    guard let key = keys.first else { return }
    let rest = keys.dropFirst()
    let property = SwiftLiteral.identifiers.lower(key)
    let inner = SwiftLiteral.identifiers.upper(key) + "Response"
    text.block("private struct \(type): Decodable") { text in
      text.add("var \(property): \(rest.isEmpty ? "[\(row.type)]" : inner)")
      if property != key {
        text.block("private enum CodingKeys: String, CodingKey") {
          $0.add("case \(property) = \(SwiftLiteral.string(key))")
        }
      }
      if !rest.isEmpty { addResponse(rest, named: inner, to: &text) }
    }
  }

  /// A secret is read from where the app keeps it.
  private static func value(_ value: RequestValue) -> String {
    switch value {
    case .plain(let text): return SwiftLiteral.string(text)
    case .secret(_, let symbol), .missing(let symbol):
      let name = symbol.split(separator: " ").last.map(String.init) ?? symbol
      return "ProcessInfo.processInfo.environment[\(SwiftLiteral.string(name))]"
    }
  }
}
