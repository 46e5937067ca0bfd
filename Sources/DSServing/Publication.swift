import DataTables
import Pictures
import Synchronization

/// The content of a page. The session publishes it; browsers read it concurrently.
final class Publication: Sendable {
  /// A served source.
  struct Entry: Sendable {
    /// Its number on the page.
    let number: Int
    /// The name, the state and the tree, without the content.
    var facts: [(String, Value)]
    /// The last contents, the newest at the end; earlier ones serve browsers that are behind.
    var contents: [PublishedContent] = []
    /// The events so far.
    var lanes: Picture?

    var json: Value {
      .record(Record([("source", .integer(number))] + facts + (contents.last?.facts ?? [])))
    }
  }

  /// A message to all browsers.
  struct Message: Sendable {
    let number: Int
    let json: String
  }

  fileprivate struct State {
    var entries: [Entry] = []
    var commands: [String] = []
    var messages: [Message] = []
    /// The size of the messages, in bytes.
    var size = 0
    var lastNumber = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWait = 0
    var streams = 0
    var isClosed = false
  }
  private let state = Mutex(State())
  private static let mostContents = 4
  fileprivate static let mostMessages = 1_000
  fileprivate static let mostSize = 8 << 20
  /// A window has one stream.
  static let mostStreams = 64

  // MARK: Publishing

  /// Replaces the entries but for their contents, and sends them if they have changed.
  func show(_ facts: [(number: Int, facts: [(String, Value)])], commands: [String]) {
    send { state in
      let before = state.json
      state.entries = facts.map { number, facts in
        var entry = state.entries.first { $0.number == number } ?? Entry(number: number, facts: [])
        entry.facts = facts
        return entry
      }
      state.commands = commands
      let after = state.json
      if before == after { return nil }
      return ["type": "session", "session": after]
    }
  }

  /// Adds the new content of a source, or removes all contents of a source that has none.
  func show(_ content: PublishedContent?, of number: Int) {
    send { state in
      guard let index = state.entries.firstIndex(where: { $0.number == number }) else { return nil }
      if let content {
        state.entries[index].contents.append(content)
        let extra = state.entries[index].contents.count - Self.mostContents
        if extra > 0 { state.entries[index].contents.removeFirst(extra) }
      } else {
        state.entries[index].contents = []
      }
      return ["type": "content", "entry": state.entries[index].json]
    }
  }

  /// Replaces the picture of the events of a source; the message about the last event follows.
  func show(_ lanes: Picture, of number: Int) {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.number == number }) else { return }
      state.entries[index].lanes = lanes
    }
  }

  func send(_ message: Value) { send { _ in message } }

  private func send(_ body: (inout State) -> Value?) {
    let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard let message = body(&state) else { return [] }
      state.append(message.json)
      if state.messages.count > Self.mostMessages || state.size > Self.mostSize {
        state.dropOlderMessages()
      }
      return state.takeWaiting()
    }
    for continuation in woken { continuation.resume() }
  }

  // MARK: Reading

  /// All entries and commands, with the number of the last message that they include.
  var session: Value {
    state.withLock { ["after": .integer($0.lastNumber), "session": $0.json] }
  }

  /// The events of a source so far; nil if it is not served.
  func lanes(of source: Int) -> Picture? {
    state.withLock { $0.entries.first { $0.number == source }?.lanes }
  }

  enum Lookup {
    case found(PublishedContent)
    case noSource
    /// The source has other contents.
    case noContent
  }

  /// A content of a source by its number.
  func content(_ number: Int, of source: Int) -> Lookup {
    state.withLock { state in
      guard let entry = state.entries.first(where: { $0.number == source }) else {
        return .noSource
      }
      return entry.contents.first { $0.number == number }.map { .found($0) } ?? .noContent
    }
  }

  enum Messages {
    case some([Message])
    /// Messages after the number were dropped, because the browser was too slow.
    case lost
    case ended
    /// The connection ends, but not the publication.
    case canceled
  }

  /// The messages after a number. Waits until there is one, or until ``wake()``.
  func messages(after number: Int) async -> Messages {
    let now = state.withLock { $0.messages(after: number) }
    guard case .some(let messages) = now, messages.isEmpty else { return now }
    await wait(after: number)
    if Task.isCancelled { return .canceled }
    return state.withLock { $0.messages(after: number) }
  }

  private func wait(after number: Int) async {
    let key = state.withLock { state in
      state.nextWait += 1
      return state.nextWait
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard !state.isClosed, !Task.isCancelled, state.lastNumber == number else { return false }
          state.waiting[key] = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiting.removeValue(forKey: key) }
      continuation?.resume()
    }
  }

  /// Counts a stream of messages that begins.
  /// - Returns: false if there are too many.
  func openStream() -> Bool {
    state.withLock { state in
      guard state.streams < Self.mostStreams else { return false }
      state.streams += 1
      return true
    }
  }

  func closeStream() { state.withLock { $0.streams -= 1 } }

  /// Ends all waits, so that connections that are open but have no browser are noticed.
  func wake() {
    let woken = state.withLock { $0.takeWaiting() }
    for continuation in woken { continuation.resume() }
  }

  /// Ends all streams of messages after those so far.
  func close() {
    state.withLock { $0.isClosed = true }
    wake()
  }
}

extension Publication.State {
  fileprivate var json: Value {
    [
      "entries": .array(entries.map(\.json)), "commands": .array(commands.map(Value.string)),
    ]
  }

  fileprivate mutating func append(_ message: String) {
    lastNumber += 1
    messages.append(Publication.Message(number: lastNumber, json: message))
    size += message.utf8.count
  }

  /// Drops older messages down to half of the limits, and keeps the last one; a browser that has not
  /// received them loads the page again.
  fileprivate mutating func dropOlderMessages() {
    var dropped = 0
    while dropped < messages.count - 1,
      messages.count - dropped > Publication.mostMessages / 2 || size > Publication.mostSize / 2
    {
      size -= messages[dropped].json.utf8.count
      dropped += 1
    }
    messages.removeFirst(dropped)
  }

  fileprivate mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
    defer { waiting = [:] }
    return Array(waiting.values)
  }

  fileprivate func messages(after number: Int) -> Publication.Messages {
    let first = messages.first?.number ?? lastNumber + 1
    if number < first - 1 || number > lastNumber { return .lost }
    let found = messages.suffix(lastNumber - number)
    if found.isEmpty, isClosed { return .ended }
    return .some(Array(found))
  }
}
