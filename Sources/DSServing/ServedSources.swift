import DSInterpreter
import DataSources
import DataTables
import DisplayText

/// The served sources in their isolation: publishes each event when it happens, and the rest of the
/// session after each line.
final class ServedSources: DataSourceDelegate {
  /// A source that is served.
  private struct Served {
    let number: Int
    /// nil after its last name was dropped.
    var source: (any DataSource)?
    var name: String
    /// Whether it has, or had, a name that a line can drop.
    var isBound: Bool
    /// The number of its last content.
    var content = 0
    /// Its state, without the content.
    var facts: [(String, Value)] = []
    var lanes = LiveLanes()
  }

  private var served: [Served] = []
  private var lastNumber = 0
  /// The sources whose events are shown: the served ones and those below.
  private var observed: [any DataSource] = []
  private var namesOfObserved: [ObjectIdentifier: String] = [:]
  private let publication: Publication
  private let questions: SessionQuestions
  private let start = ContinuousClock.now

  init(_ publication: Publication, _ questions: SessionQuestions) {
    self.publication = publication
    self.questions = questions
  }

  /// The names of the sources, in the order in which they were added.
  var names: [String] { served.map(\.name) }

  /// Adds a source, unless it is served already.
  func add(_ source: any DataSource, in session: Session) {
    guard !served.contains(where: { $0.source === source }) else { return }
    let name = session.displayName(of: source)
    // A name that was dropped and is served again has one place.
    served.removeAll { $0.source == nil && $0.name == name }
    lastNumber += 1
    served.append(
      Served(
        number: lastNumber, source: source, name: name,
        isBound: session.isBound(source)))
  }

  func follow(_ session: Session) async {
    for index in served.indices { updateBinding(of: index, in: session) }
    observe(in: session)
    let commands = session.commands(leadingTo: served.filter { $0.source != nil }.map(\.name))
    for index in served.indices { served[index].facts = facts(of: served[index], in: session) }
    publication.show(served.map { ($0.number, $0.facts) }, commands: commands)
    // Contents from before a source was served had no event here.
    for index in served.indices where served[index].content == 0 { publishContent(of: index) }
    // One at a time, so that a key that was pressed meanwhile is handled before the next.
    if let waiting = questions.take() {
      questions.answer(waiting.number, await answer(to: waiting.question, in: session))
    }
  }

  /// Follows a source to a new name, and a name to a new source.
  private func updateBinding(of index: Int, in session: Session) {
    guard let source = served[index].source else { return }
    if session.isBound(source) {
      served[index].name = session.displayName(of: source)
      served[index].isBound = true
    } else if served[index].isBound {
      served[index].source = session.source(boundTo: served[index].name)
      if served[index].source != nil { publishContent(of: index) }
    }
  }

  private func observe(in session: Session) {
    for source in observed { source.state.remove(listener: self) }
    observed = []
    namesOfObserved = [:]
    for index in served.indices {
      guard let source = served[index].source else { continue }
      let tree = session.tree(of: source)
      served[index].lanes.update(tree)
      publication.show(served[index].lanes.picture(served[index].name), of: served[index].number)
      for node in tree where namesOfObserved[ObjectIdentifier(node.source)] == nil {
        namesOfObserved[ObjectIdentifier(node.source)] = node.name
        observed.append(node.source)
        node.source.state.add(listener: self)
      }
    }
  }

  func dataSource(_ source: any DataSource, did event: SourceEvent) {
    let line = EventLine(TranscriptEntry(event, of: source)) {
      namesOfObserved[ObjectIdentifier($0)] ?? $0.name
    }
    for index in served.indices where served[index].lanes.add(event, of: source, line) {
      publication.show(served[index].lanes.picture(served[index].name), of: served[index].number)
    }
    let time = start.duration(to: .now) / .milliseconds(1)
    publication.send([
      "type": "event", "name": .string(line.source.escapingControls()),
      "event": .string(line.event),
      "detail": .string(line.detail.redactingSecrets.escapingControls()),
      "time": .integer(Int(time)),
    ])
    guard case .finished = event, let index = served.firstIndex(where: { $0.source === source })
    else { return }
    publishContent(of: index)
  }

  private func publishContent(of index: Int) {
    let entry = served[index]
    guard let source = entry.source else { return }
    let hadContent = entry.content > 0
    guard let snapshot = source.state.snapshot else {
      if hadContent { publication.show(nil, of: entry.number) }
      return
    }
    served[index].content += 1
    publication.show(
      PublishedContent(
        served[index].content, snapshot, id: source.id, refreshes: source.state.refreshes),
      of: entry.number)
  }

  private func facts(of entry: Served, in session: Session) -> [(String, Value)] {
    guard let source = entry.source else {
      return [("name", text(entry.name)), ("isDropped", true), ("tree", .array([]))]
    }
    return [
      ("name", text(entry.name)), ("kind", .string(type(of: source).kind)),
      ("status", text(session.status(of: source).headline)),
      ("error", source.error.map { text($0.message) } ?? .null),
      ("isFetching", .bool(source.isFetching)),
      ("fetched", .bool(source.state.snapshot != nil)),
      ("nextPage", .bool((source as? PaginatedSource)?.hasMorePages ?? false)),
      (
        "tree",
        .array(
          session.tree(of: source).map { node in
            [
              "depth": .integer(node.depth), "name": text(node.name),
              "summary": text(node.isRepeated ? "as above" : node.source.summary),
              "state": text(session.sizes(of: node.source)),
            ]
          })
      ),
    ]
  }

  // Names and messages are shown as in a terminal.
  private func text(_ text: String) -> Value { .string(text.redactingSecrets.escapingControls()) }

  private func answer(
    to question: SessionQuestions.Question, in session: Session
  ) async -> Value {
    guard let entry = served.first(where: { $0.number == question.source }),
      let source = entry.source
    else { return ["error": "the source was dropped"] }
    guard entry.content == question.content else {
      return ["error": "the content has changed since; choose the row again"]
    }
    do {
      let report = try await session.explanation(of: question.path, in: source)
      return [
        "headline": text(report.headline),
        "notes": .array(report.notes.map { .array([text($0.subject ?? ""), text($0.text)]) }),
      ]
    } catch {
      return ["error": text(SourceError(error).message)]
    }
  }
}

extension Session {
  /// The maximum number of commands of a session that are searched and sent with each change.
  private static let mostCommands = 200

  fileprivate func isBound(_ source: any DataSource) -> Bool {
    bindings.contains { if case .source(let bound) = $0.value { bound === source } else { false } }
  }

  fileprivate func source(boundTo name: String) -> (any DataSource)? {
    guard case .source(let source)? = bindings.first(where: { $0.name == name })?.value else {
      return nil
    }
    return source
  }

  /// The commands that made some sources, as lines of a script.
  fileprivate func commands(leadingTo names: [String]) -> [String] {
    let log = execution.log
    guard log.count <= Self.mostCommands else {
      return ["# \(counted(log.count, "command")); `history save FILE` writes them"]
    }
    return log.definitions(
      of: Set(names), before: log.count, in: options.folder, commands: commands
    ).map(\.redactingSecrets)
  }
}
