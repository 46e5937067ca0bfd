import DataTables

@testable import DataSources

/// A source of a random history, with what is known about it.
final class HistoryNode {
  let source: any DataSource
  let views = SourceViews()
  /// The longest path to a source with objects of its own.
  let depth: Int
  /// The current settings; nil for a source with objects of its own.
  var settings: WrapperSettings?
  /// The settings and the children of the last successful fetch.
  private var applied: (settings: WrapperSettings, children: [any DataSource])?
  /// The predicate and the name of the last successful fetch of a source that can be edited.
  private var shownRows: (predicate: Predicate?, name: String)?
  /// Whether a child has changed since the content was made, without an update.
  private var isStale = false
  /// Whether the last fetch failed, and no update has succeeded since.
  private var hasFailed = false

  init(_ source: any DataSource, _ settings: WrapperSettings? = nil, depth: Int = 0) {
    self.source = source
    self.settings = settings
    self.depth = depth
    source.delegate = views
    if source is SimpleSource { shownRows = (nil, source.name) }
  }

  /// Whether the source updates itself after changes of the sources below it.
  private var followsChildren: Bool {
    guard source.followsChildren, source.state.hasBeenFetched else { return false }
    guard let applied else { return true }
    return zip(applied.children, source.children).allSatisfy { $0 === $1 }
  }

  /// Records the outcome of a step.
  ///
  /// - Parameters:
  ///   - ended: the sources whose fetches or edits have ended in the step.
  ///   - fetched: the sources that were fetched, not only updated.
  /// - Returns: what is wrong with the number of updates.
  func record(ended: Set<ObjectIdentifier>, fetched: Set<ObjectIdentifier>) -> [String] {
    let id = ObjectIdentifier(source)
    let isFetched = fetched.contains(id)
    guard let settings else {
      if ended.contains(id), source.error == nil, isFetched, let simple = source as? SimpleSource {
        shownRows = (simple.predicate, simple.name)
      }
      return []
    }
    let children = applied?.children ?? source.children
    let hasNewChild = children.contains { ended.contains(ObjectIdentifier($0)) }
    guard ended.contains(id) else {
      if hasNewChild { isStale = true }
      return hasNewChild && followsChildren ? ["does not follow the sources below"] : []
    }
    // An earlier content has no error; the latest one has it again.
    if isFetched || !source.showsEarlierContent {
      hasFailed = source.error != nil && (isFetched || hasFailed)
    }
    if source.error == nil {
      // An edit of the source itself does not show changes of the sources below.
      if isFetched || hasNewChild { isStale = false }
      if isFetched || applied == nil { applied = (settings, source.children) }
      if (source as? StaleSource)?.isOutdated ?? false { isStale = true }
    } else if hasNewChild {
      isStale = true
    }
    return []
  }

  /// Compares the content with that of a new source with the same settings.
  func differences() async throws -> [String] {
    // It shows what it did at another time.
    if source.showsEarlierContent { return [] }
    if let simple = source as? SimpleSource { return try await differences(of: simple) }
    guard let applied, source.state.snapshot != nil else { return [] }
    let fresh = try applied.settings.make(over: applied.children, usesCache: false)
    let expected: Snapshot
    do {
      expected = try await FetchRound(from: fresh, isEdit: true)
        .preview(fresh, cancellation: Cancellation())
    } catch {
      // It does not notice failures of the sources below.
      let keepsContent = source is StaleSource && !source.followsChildren
      return isStale || source.error != nil || keepsContent
        ? [] : ["shows content instead of \(error)"]
    }
    if let error = source.error {
      return hasFailed || isStale && !followsChildren || error.isCancelled
        ? [] : ["fails without a reason: \(error)"]
    }
    if isStale { return [] }
    let content = try source.content
    if let organized = source as? OrganizedSource,
      !organized.history.rows.isNatural(expected.numberOfObjects)
    {
      let all = try await expected.shown.sections.flatMap(\.objects)
      let kept = try await content.shown.sections.flatMap(\.objects)
      return kept.isSubsequence(of: all)
        ? [] : ["shows \(Value.array(kept).json) of \(Value.array(all).json)"]
    }
    guard try await content.shown == expected.shown else {
      let (shown, expected) = (try await content.shown, try await expected.shown)
      return ["shows \(shown.text) instead of \(expected.text)"]
    }
    let index = try await content.indexTitles()
    return try await index == expected.indexTitles() ? [] : ["has the index \(index)"]
  }
}

extension HistoryNode {
  /// Compares the content with the rows that the predicate of the last fetch keeps.
  private func differences(of simple: SimpleSource) async throws -> [String] {
    guard let shownRows else { return [] }
    let rows = try await simple.wholeContent(cancellation: Cancellation()).objects(in: 0)
    let kept = try rows.filter { try shownRows.predicate?.holds(on: $0) ?? true }
    let expected = SectionedObjects([
      SectionedObjects.Section(title: .string(shownRows.name), objects: kept)
    ])
    let shown = try await simple.content.shown
    return shown == expected ? [] : ["shows \(shown.text) instead of \(expected.text)"]
  }
}

extension [Value] {
  fileprivate func isSubsequence(of all: [Value]) -> Bool {
    var rest = self[...]
    for object in all where rest.first == object { rest.removeFirst() }
    return rest.isEmpty
  }
}

extension SourceError {
  var isCancelled: Bool { if case .data(.cancelled) = self { true } else { false } }
}

extension SectionedObjects {
  /// The titles and objects in one line.
  var text: String {
    Value.array(sections.flatMap { [$0.title, .array($0.objects)] }).json
  }
}
