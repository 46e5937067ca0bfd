import DSInterpreter
import DataSources
import DisplayText
import Pictures

/// The events of a served source and those below it since it is served, as messages between lanes:
/// each source sends its events to the sources that wrap it, and the outermost one to its delegate.
struct LiveLanes {
  private var sources: [any DataSource] = []
  private var names: [String] = []
  /// The lanes that receive the events of each source; lane 0 is the delegate.
  private var receivers: [[Int]] = []
  private var messages: [Picture.Message] = []
  private static let mostMessages = 60

  /// Takes new names. Begins again if the sources are others than before.
  mutating func update(_ tree: [SourceTreeNode]) {
    let nodes = tree.filter { !$0.isRepeated }
    if !nodes.map(\.source).elementsEqual(sources, by: { $0 === $1 }) {
      messages = []
      sources = nodes.map(\.source)
      receivers = sources.map { source in
        let wrappers = sources.indices.filter { index in
          sources[index].children.contains { $0 === source }
        }
        return wrappers.isEmpty ? [0] : wrappers.map { $0 + 1 }
      }
    }
    names = nodes.map(\.name)
  }

  /// - Returns: whether the source has a lane.
  mutating func add(_ event: SourceEvent, of source: any DataSource, _ line: EventLine) -> Bool {
    guard let index = sources.firstIndex(where: { $0 === source }) else { return false }
    var message = Picture.Message(
      from: index + 1, to: receivers[index], line.event, detail: line.detail.redactingSecrets)
    if case .failed = event { message.isFailure = true }
    messages.append(message)
    if messages.count > Self.mostMessages { messages.removeFirst() }
    return true
  }

  /// The lanes of the source with a name.
  func picture(_ name: String) -> Picture {
    Picture(
      "events of \(name)",
      .lanes([Picture.Lane("delegate")] + names.map { Picture.Lane($0) }, messages: messages),
      note: messages.isEmpty ? "no events yet" : nil)
  }
}
