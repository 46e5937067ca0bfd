import DataTables
import Synchronization

/// The results that an engine computed for one fetch, by the texts that determine them. They belong to
/// one state of the data.
///
/// A file begins with a line with the name and the state as JSON; each further line is an array of an
/// entry's key and its content.
public final class FetchCache: Sendable {
  private struct State {
    /// The state of the data; nil if it is not known.
    var state: String?
    /// The entries of the file.
    var kept: [String: String] = [:]
    /// The entries that the fetch has used, in order.
    var used: [(key: String, content: String)] = []
    var hasMissed = false
  }
  public let name: String
  private let caches: FetchCaches
  private let state = Mutex(State())

  /// Larger caches are not written.
  private static let maxSize = 32 << 20

  init(_ name: String, in caches: FetchCaches) {
    self.name = name
    self.caches = caches
  }

  /// Reads the entries for a state of the data.
  ///
  /// - Parameter state: a text that identifies the data, and differs after every change of it.
  public func open(_ state: String) {
    var kept: [String: String] = [:]
    let lines = caches.text(name)?.split(separator: "\n") ?? []
    if lines.first == Self.header(name, state)[...] {
      for line in lines.dropFirst() {
        guard case .array(let entry)? = try? Value(json: String(line)), entry.count == 2,
          case .string(let key) = entry[0], case .string(let content) = entry[1]
        else { continue }
        kept[key] = content
      }
    }
    self.state.withLock { $0 = State(state: state, kept: kept) }
  }

  /// The content of an entry; nil if it must be computed.
  ///
  /// - Parameter decoding: returns nil for a content that it does not understand.
  public func content<Content>(_ key: String, _ decoding: (String) -> Content?) -> Content? {
    state.withLock { state in
      guard let text = state.kept[key], let content = decoding(text) else {
        state.hasMissed = true
        return nil
      }
      state.used.append((key, text))
      return content
    }
  }

  /// Whether the state of the data is known and the fetch has not ended.
  public var isOpen: Bool { state.withLock { $0.state != nil } }

  /// Keeps what was computed.
  public func keep(_ content: String, for key: String) {
    state.withLock { $0.used.append((key, content)) }
  }

  /// Writes the entries of the fetch, unless the file has them already, and closes the cache.
  ///
  /// - Returns: whether all entries were in the file.
  func finish() -> Bool {
    let (state, used, hasMissed) = self.state.withLock { state in
      defer { state = State() }
      return (state.state, state.used, state.hasMissed)
    }
    guard let state, !used.isEmpty else { return false }
    guard hasMissed else { return true }
    var text = Self.header(name, state)
    for (key, content) in used {
      text += "\n" + Value.array([.string(key), .string(content)]).json
    }
    if text.utf8.count <= Self.maxSize { caches.write(text, to: name) }
    return false
  }

  private static func header(_ name: String, _ state: String) -> String {
    Value.record(Record([("cache", .string(name)), ("version", 1), ("state", .string(state))])).json
  }
}
