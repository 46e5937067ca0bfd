import DSInterpreter
import DataSources
import DataTables

/// A server of one page on 127.0.0.1. It ends when it is released.
final class PageServer: SessionFollower {
  private let sources: ServedSources
  var keepsSessionOpen = false
  private let check: RequestCheck
  private let publication: Publication
  private let questions: SessionQuestions
  private let listener: PageListener
  private let heartbeat: Task<Void, Never>

  /// How often a server looks for browsers that have disconnected.
  private static let heartbeatTime = Duration.seconds(15)

  var port: UInt16 { listener.port }

  var descriptor: Int32 { questions.descriptor }

  /// The names of the served sources, in the order in which they were added.
  var servedNames: [String] { sources.names }

  func add(_ source: any DataSource, in session: Session) { sources.add(source, in: session) }

  func follow(_ session: Session) async { await sources.follow(session) }

  /// `http://127.0.0.1:41234/8f14…/`
  var address: String { "http://\(check.authority)/\(check.token)/" }

  /// - Parameter port: nil for any free port.
  init(port: UInt16?) async throws(PageListener.Failure) {
    let publication = Publication()
    let questions = SessionQuestions()
    let listener = try await PageListener(port: port)
    let check = RequestCheck(
      authority: "127.0.0.1:\(listener.port)", token: RequestCheck.makeToken())
    await listener.serve(
      PageRoutes(check: check, publication: publication, questions: questions))
    self.listener = listener
    self.check = check
    self.publication = publication
    self.questions = questions
    sources = ServedSources(publication, questions)
    heartbeat = Self.heartbeat(of: publication)
  }

  deinit {
    close()
    // Detached, because the thread of the session waits for keys.
    Task.detached { [listener] in await listener.stop() }
  }

  /// Ends all connections; browsers show that the session has ended. Waits at most 200 ms.
  func end() async {
    close()
    await listener.stop()
  }

  private func close() {
    publication.close()
    questions.close()
    heartbeat.cancel()
  }

  /// Listens again if the page is no longer served.
  /// - Returns: why it was not served; nil if it was.
  func revive() async throws(PageListener.Failure) -> String? {
    guard let problem = await listener.problem else { return nil }
    try await listener.listenAgain()
    return problem
  }

  private static func heartbeat(of publication: Publication) -> Task<Void, Never> {
    // Detached, because the thread of the session waits for keys.
    Task.detached {
      while !Task.isCancelled {
        try? await Task.sleep(for: heartbeatTime)
        publication.wake()
      }
    }
  }
}
