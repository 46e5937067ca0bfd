import DataTables
import Synchronization
import TestSupport

@testable import DataSources

/// A source of a random history that has objects of its own: an array, a file or the responses of a
/// server.
final class HistoryOwner {
  enum Kind: CaseIterable { case array, csv, json, remote, paginated }
  let kind: Kind
  let source: any DataSource
  private let folder: TemporaryFolder?
  private let server: Server

  init(_ kind: Kind, _ objects: [Value], name: String) async throws {
    self.kind = kind
    server = Server(objects)
    switch kind {
    case .array:
      folder = nil
      source = SimpleSource(objects, name: name)
    case .csv, .json:
      let folder = try TemporaryFolder()
      self.folder = folder
      let path = try folder.write(Self.text(of: objects, kind), to: "objects.\(kind)")
      source = try await SimpleSource.load(path, formats: .core, name: name)
    case .remote:
      folder = nil
      source = try remote(server, name: name)
    case .paginated:
      folder = nil
      source = PaginatedSource(
        TransportRequest(url: "http://example.test/list"), through: server, formats: .core,
        name: name)
    }
    source.id = ObjectKeyPath(key: "id")
  }

  /// The source, if it can be edited.
  var simple: SimpleSource? { source as? SimpleSource }

  var isFile: Bool { folder != nil }
  var isServer: Bool { kind == .remote || kind == .paginated }

  /// The objects of a source that can be edited, also those that its predicate hides.
  var objects: [Value] {
    get async throws {
      guard let simple else { return [] }
      let content = try await simple.wholeContent(cancellation: Cancellation())
      return try await content.objects(in: 0)
    }
  }

  // MARK: Changes by others

  /// Replaces the objects of the file or the server.
  func replace(with objects: [Value]) throws {
    try folder?.write(Self.text(of: objects, kind), to: "objects.\(kind)")
    server.replace(with: objects)
  }

  /// Whether the server fails.
  var isFailing: Bool {
    get { server.isFailing }
    set { server.isFailing = newValue }
  }

  private static func text(of objects: [Value], _ kind: Kind) -> String {
    guard kind == .csv else { return Value.array(objects).json }
    let keys = ["id", "k", "v", "n", "d"]
    let rows = objects.map { object in
      keys.map { key in
        switch ObjectKeyPath(key: key).evaluate(on: object) {
        case .null: ""
        case .string(let text): text
        case let value: value.json
        }
      }.joined(separator: ",")
    }
    return ([keys.joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }
}

/// Responds with objects, or with pages of two objects, unless it fails.
private final class Server: Transport {
  private let state: Mutex<(objects: [Value], isFailing: Bool)>

  init(_ objects: [Value]) { state = Mutex((objects, false)) }

  func replace(with objects: [Value]) { state.withLock { $0.objects = objects } }

  var isFailing: Bool {
    get { state.withLock { $0.isFailing } }
    set { state.withLock { $0.isFailing = newValue } }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let (objects, isFailing) = state.withLock { $0 }
    if isFailing { return .json("{}", status: 500) }
    let page = request.query.first { $0.name == "page" }.flatMap { Int($0.value.sent) }
    let shown = page.map { objects.dropFirst(($0 - 1) * 2).prefix(2) } ?? objects[...]
    return .json(Value.array(Array(shown)).json)
  }
}
