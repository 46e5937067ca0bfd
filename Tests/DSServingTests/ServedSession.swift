import DSInterpreter
import DataSources
import DataTables
import Testing

@testable import DSServing

/// A session whose commands serve a page.
struct ServedSession {
  private(set) var interpreter: Interpreter
  /// The messages of results and errors.
  private(set) var output: [String] = []

  init() {
    var session = Session()
    session.commands = .serving(.standard)
    interpreter = Interpreter(session: session)
  }

  /// A session that serves the sections of a few foods.
  static func letters(isolation: isolated (any Actor)? = #isolation) async throws -> ServedSession {
    var session = ServedSession()
    await session.run(
      """
      let foods = simple [{name: Pie, kind: sweet}, {name: Papaya, kind: fruit}, {name: Apple, kind: fruit}]
      let letters = sectioned foods key: name.firstCharacter sort: name | fetch
      serve letters
      """)
    return session
  }

  mutating func run(_ text: String, isolation: isolated (any Actor)? = #isolation) async {
    var lines: [String] = []
    _ = try? await interpreter.run(text) { event, _ in
      switch event {
      case .output(let output):
        if case .report(let report) = output.content { lines.append(report.headline) }
      case .failure(let failure): lines.append("error: \(failure.message)")
      }
    }
    output += lines
  }

  /// Answers questions, as the prompt does while it waits for a key.
  mutating func attend(isolation: isolated (any Actor)? = #isolation) async {
    try? await interpreter.showChanges { _, _ in }
  }

  /// The page, which was announced last.
  var page: ServedPage {
    get throws {
      let line = try #require(output.last { $0.contains("http://127.0.0.1:") })
      let parts = line.split(separator: "/")
      let port = try #require(parts[1].split(separator: ":").last.flatMap { UInt16($0) })
      return ServedPage(port: port, token: String(parts[2]))
    }
  }

  func get(_ path: String) async throws -> RawResponse { try await page.get(path) }
  func json(_ path: String) async throws -> Record { try await page.json(path) }

  /// The facts about the first source.
  func entry() async throws -> Record {
    guard case .record(let session)? = try await json("session")["session"],
      case .array(let entries)? = session["entries"], case .record(let entry)? = entries.first
    else { return Record([]) }
    return entry
  }
}

/// The address of a page.
struct ServedPage: Sendable, Equatable {
  let port: UInt16
  let token: String

  func get(_ path: String) async throws -> RawResponse {
    let connection = RawConnection(port: port)
    connection.send(
      "GET /\(token)/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
    return RawResponse(await connection.read())
  }

  func json(_ path: String) async throws -> Record {
    let response = try await get(path)
    guard case .record(let record) = try Value(json: response.body) else { return Record([]) }
    return record
  }
}
