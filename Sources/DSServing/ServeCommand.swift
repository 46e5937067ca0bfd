package import DSInterpreter
import DataSources
import DataTables

/// `serve [SOURCE …|off] [port: N] [wait: true]`
package struct ServeCommand: Command {
  private static let off = "off"
  private static let target = Parameter(
    "SOURCE …|off", .either([.source, .choice(Choices("word", [off]))]), .repeated)
  private static let port = Label(
    "port", .integer(1...65_535), "port of the page; any free one if omitted", example: "8080")
  private static let wait = Label(
    "wait", .boolean, "true to serve after the end of a script, until Ctrl-C", example: "true")

  package static let names = ["serve"]
  package static let parameters = [target]
  package static let labels = [port, wait]
  package static let synopsis = "serve [SOURCE …|off] [port: N] [wait: true]"
  package static let summary = "Shows sources on a page for browsers of this computer."
  package static let notes = [
    "The page has the table view of each source, the sources that it wraps, events as they happen, and",
    "the explanation of a row that is chosen. It follows the commands that are entered. `serve` prints",
    "its address, which cannot be guessed; a second `serve` adds sources to the same page. Without a",
    "source, it prints the address again. `serve off` ends it, and so does the end of the session.",
    "",
    "The page changes nothing: it has no commands, and loads nothing from other hosts.",
  ]
  package static let examples = ["serve letters", "serve letters foods; serve off"]
  package static let seeAlso = ["show", "explain", "tree", "events", "watch"]

  private enum Action {
    case address(Span)
    case off(Argument)
    case sources([Argument])
  }

  private let action: Action
  private let port: Argument?
  private let wait: Bool

  package init(parsing arguments: inout Arguments) throws {
    var targets: [Argument] = []
    let span = arguments.stage.verb.span
    while let next = try arguments.take(Self.target) { targets.append(next) }
    port = try arguments[Self.port]
    wait = try arguments[Self.wait]?.boolean() ?? false
    if let off = targets.first(where: { $0.word == Self.off }) {
      guard targets.count == 1, port == nil, !wait else {
        throw off.error(.badArgument, "`serve off` ends the page, without other arguments")
      }
      action = .off(off)
    } else if targets.isEmpty {
      action = .address(span)
    } else {
      action = .sources(targets)
    }
    _ = try port?.integer()
  }

  package func run(in session: inout Session) async throws -> CommandResult {
    let running = session.pageServer
    switch action {
    case .off(let word):
      guard let server = running else {
        throw word.error(.conflict, "no page is served (serve SOURCE)")
      }
      session.pageServer = nil
      await server.end()
      return Self.result("no page is served now", [("served", .array([]))])
    case .address(let span):
      guard let server = running else {
        throw Diagnostic(.conflict, "no page is served (serve SOURCE)", at: span)
      }
      let problem = try await revive(server, span)
      try await update(server, in: session)
      return Self.result(of: server, after: problem)
    case .sources(let targets):
      var sources: [any DataSource] = []
      for target in targets {
        sources.append(try await SourceArgument.source(target, in: &session))
      }
      let server: PageServer
      var problem: String?
      if let running {
        server = running
        problem = try await revive(running, targets[0].span)
      } else {
        server = try await start(at: targets[0])
      }
      try await update(server, in: session)
      for source in sources { server.add(source, in: session) }
      session.pageServer = server
      await server.follow(session)
      return Self.result(of: server, after: problem)
    }
  }

  /// Serves a page again whose server has ended.
  /// - Returns: why it had ended; nil if it had not.
  private func revive(_ server: PageServer, _ span: Span) async throws -> String? {
    do throws(PageListener.Failure) {
      return try await server.revive()
    } catch {
      throw Diagnostic(
        .io,
        """
        the page is no longer served, and cannot listen on port \(server.port) again: \(error.message); \
        enter `serve off`, then `serve \(server.servedNames.joined(separator: " "))` for another port
        """, at: span)
    }
  }

  private func start(at target: Argument) async throws -> PageServer {
    let number = try port?.integer()
    do throws(TableError) {
      try SafeMode.checkConnection("no page can be served")
    } catch {
      throw target.error(.denied, error.message)
    }
    do throws(PageListener.Failure) {
      return try await PageServer(port: number.map { UInt16($0) })
    } catch {
      let fix =
        error.isPortTaken ? "; add another `port:`, or omit it for a free one" : ""
      let place = number.map { "port \($0)" } ?? "a free port"
      throw (port ?? target).error(.io, "cannot listen on \(place): \(error.message)\(fix)")
    }
  }

  /// Applies the labels to a page that is served.
  private func update(_ server: PageServer, in session: Session) async throws {
    if let port, try port.integer() != Int(server.port) {
      throw port.error(
        .conflict, "the page is served on port \(server.port); enter `serve off` to change the port"
      )
    }
    if wait { server.keepsSessionOpen = true }
  }

  /// - Parameter problem: why the page was not served before; nil if it was.
  private static func result(of server: PageServer, after problem: String?) -> CommandResult {
    let names = server.servedNames
    let again = problem.map { " (served again; it had ended: \($0))" } ?? ""
    return result(
      "\(names.joined(separator: ", ")): \(server.address)\(again)",
      [("served", .array(names.map(Value.string))), ("address", .string(server.address))])
  }

  private static func result(_ headline: String, _ data: [(String, Value)]) -> CommandResult {
    CommandResult(
      .value(.record(Record(data))), Output(.report(Report(headline: headline, data: Record(data))))
    )
  }
}

extension Session {
  /// The server of the session; nil while no page is served.
  fileprivate var pageServer: PageServer? {
    get {
      execution.followers.lazy.compactMap { $0 as? PageServer }.first
    }
    nonmutating set {
      execution.followers.removeAll { $0 is PageServer }
      if let newValue { execution.followers.append(newValue) }
    }
  }
}

extension CommandTable {
  /// The commands of a table, and `serve`.
  package static func serving(_ table: CommandTable) -> CommandTable {
    var table = table
    table.add(ServeCommand.self, to: "look")
    return table
  }
}
