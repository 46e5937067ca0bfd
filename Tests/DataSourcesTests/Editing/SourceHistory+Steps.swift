import DataTables
import TestSupport

@testable import DataSources

extension SourceHistory {
  func makeStep(_ before: [[Value]]) async throws -> Effect {
    switch random.below(18) {
    case 0, 1:
      return try await revert("undo") { source, interruption in
        try await source.undoEdit(
          cancellation: interruption.flag, listener: interruption.receive)
      }
    case 2:
      return try await revert("redo") { source, interruption in
        try await source.redoEdit(
          cancellation: interruption.flag, listener: interruption.receive)
      }
    case 3, 4: return try await fetch()
    case 5, 6: return try await transaction(before)
    case 7, 8: return try setSomething()
    case 9: return try await changeOutside()
    case 10: return try await refresh()
    case 11, 12: return try await showEarlierContent()
    default: return try await singleEdit(before)
    }
  }

  private func singleEdit(_ before: [[Value]]) async throws -> Effect {
    var effect = Effect(isEdit: true)
    let (node, edit) = try await randomEdit()
    last = edit.summary + " of \(node.source.name) (\(node.source.summary))"
    let ids = try await EditedObjects(edit, in: node.source)
    let interruption = Interruption(&random)
    last += interruption.summary
    do {
      try await record(
        try await node.source.edit(
          edit, cancellation: interruption.flag, listener: interruption.receive), from: before)
      if node.source.error?.isCancelled != true {
        effect.faults += try await ids.faults(after: edit, in: node.source)
      }
      effect.faults += ids.remaining(after: edit, in: node.source, before, try await objects)
    } catch let error as SourceError {
      last += ": \(error)"
      if try await objects != before { effect.faults.append("a failed edit changes objects") }
      if error.isCancelled, !interruption.isPossible {
        effect.faults.append("an edit fails as an earlier fetch did")
      }
    }
    return effect
  }

  private func record(_ group: EditGroup, from before: [[Value]]) async throws {
    states[ObjectIdentifier(group)] = EditState(
      group: group, before: before, after: try await objects)
    made += 1
  }

  private func transaction(_ before: [[Value]]) async throws -> Effect {
    var effect = Effect(isEdit: true)
    let transaction = EditTransaction(
      below: random.below(3) == 0 ? random.one(of: nodes).source : nil)
    last = "transaction:"
    for _ in 0..<1 + random.below(4) {
      let (node, edit) = try await randomEdit(in: transaction)
      last += " " + edit.summary + " of \(node.source.name) (\(node.source.summary))"
      do {
        try await transaction.apply(edit, to: node.source)
      } catch {
        last += ": \(error)"
        if error.isCancelled { effect.faults.append("a step fails as an earlier fetch did") }
      }
      last += ";"
    }
    guard random.below(3) > 0 else {
      transaction.rollback()
      last += " rollback"
      if try await objects != before { effect.faults.append("a rollback changes objects") }
      return effect
    }
    let previews = try await previews(in: transaction)
    let interruption = Interruption(&random)
    last += interruption.summary
    do {
      try await record(
        try await transaction.commit(
          cancellation: interruption.flag, listener: interruption.receive), from: before)
    } catch let error as SourceError where error.isCancelled && interruption.isPossible {
      if try await objects != before { effect.faults.append("a failed commit changes objects") }
      return effect
    }
    for (node, preview) in zip(nodes, previews) {
      guard let preview, node.source.error == nil else { continue }
      if try await node.source.shown != preview {
        effect.faults.append("\(node.source.name) shows another content than the transaction")
      }
    }
    return effect
  }

  /// The contents that the sources have at the end of a transaction; nil for those that it does not
  /// update.
  private func previews(in transaction: EditTransaction) async throws -> [SectionedObjects?] {
    var previews: [SectionedObjects?] = []
    for node in nodes {
      guard node.source.error == nil else {
        previews.append(nil)
        continue
      }
      do {
        try await transaction.refresh(node.source)
        previews.append(try await node.source.shown)
      } catch {
        previews.append(nil)
      }
    }
    return previews
  }

  /// Undoes or redoes an edit, and checks the objects of the sources that it changed.
  private func revert(
    _ verb: String, _ body: (any DataSource, Interruption) async throws -> EditGroup
  ) async throws -> Effect {
    var effect = Effect(isEdit: true)
    let node = random.one(of: nodes)
    let before = try await objects
    let interruption = Interruption(&random)
    last = "\(verb) \(node.source.name)\(interruption.summary)"
    do {
      let found = try await body(node.source, interruption)
      guard let state = states[ObjectIdentifier(found)] else { return effect }
      let expected = verb == "undo" ? state.before : state.after
      for (index, owner) in owners.enumerated()
      where found.sources.contains(where: { $0 === owner.source }) {
        if try await owner.objects != expected[index] {
          effect.faults.append("\(verb) does not restore \(owner.source.name)")
        }
      }
    } catch SourceError.data(.badArgument(let reason)) {
      let hasGroup = SourceGraph.sources(below: node.source)
        .compactMap { $0 as? any EditableSource }
        .contains { (verb == "undo" ? $0.history.last : $0.history.next) != nil }
      if hasGroup { effect.faults.append("\(last): \(reason)") }
    } catch is SourceError {
      if try await objects != before { effect.faults.append("a failed \(verb) changes objects") }
    }
    return effect
  }

  private func fetch() async throws -> Effect {
    let source = random.one(of: nodes).source
    let interruption = Interruption(&random)
    let options = FetchOptions(edits: random.one(of: [.protect, .protect, .keep, .discard]))
    last = "fetch \(source.name) \(options.edits)\(interruption.summary)"
    let effect = Effect(fetched: SourceGraph.sources(below: source))
    do {
      if let source = source as? any PagedSource, random.below(2) == 0 {
        try await source.fetchNextPage(cancellation: interruption.flag)
      } else {
        try await source.fetchData(
          options, cancellation: interruption.flag, listener: interruption.receive)
      }
    } catch let error as SourceError {
      last += ": \(error)"
    }
    return effect
  }

  private func setSomething() throws -> Effect {
    let node = random.one(of: nodes)
    guard let old = node.settings else {
      last = "set \(node.source.name)"
      if let simple = node.source as? SimpleSource {
        simple.predicate = try WrapperSettings.predicate(&random)
        // The sections of several sources have the names of these.
        let isJoined = simple.state.wrappers.contains { $0 is MultiSource }
        if !isJoined, random.below(3) == 0 { simple.name += "'" }
      }
      return Effect()
    }
    if random.below(6) == 0, nodes.count < 12 {
      last = "new wrapper"
      try addWrapper()
    } else if random.below(4) == 0, node.source is FetchedResultsSource {
      node.source.state.isWatched.toggle()
      last = "\(node.source.name) isWatched: \(node.source.state.isWatched)"
    } else if random.below(6) == 0, let wrapper = node.source as? any WrappingSource {
      let other = random.one(of: nodes.filter { $0.depth < node.depth }).source
      try wrapper.wrap(other)
      last = "set \(node.source.name) source: \(other.name)"
    } else {
      let settings = try WrapperSettings(old.kind, &random)
      try settings.set(node.source)
      node.settings = settings
      last = "set \(node.source.name) \(node.source.summary)"
    }
    return Effect()
  }

  private func changeOutside() async throws -> Effect {
    let others = owners.filter { $0.isFile || $0.isServer }
    guard !others.isEmpty else { return try await fetch() }
    let owner = random.one(of: others)
    if owner.isServer, random.below(2) == 0 {
      owner.isFailing.toggle()
      last = "\(owner.source.name) isFailing: \(owner.isFailing)"
    } else if let simple = owner.simple, random.below(2) == 0 {
      last = "save \(owner.source.name)"
      do {
        try await simple.saveEdits(RequestContext())
      } catch {
        last += ": \(error)"
      }
    } else {
      last = "replace \(owner.source.name)"
      try owner.replace(with: newObjects(random.below(6), isFlat: owner.kind == .csv))
    }
    return Effect()
  }

  /// Shows one of the kept contents of a source, and checks that no data changes.
  private func showEarlierContent() async throws -> Effect {
    let source = random.one(of: nodes).source
    guard !source.keptContents.isEmpty else { return try await fetch() }
    let kept = random.one(of: source.keptContents)
    last = "back \(source.name) \(kept.number) (\(source.summary))"
    var effect = Effect(isEdit: true)
    let before = try await objects
    try await source.showContent(kept.number)
    if try await source.shown != kept.snapshot.shown {
      effect.faults.append("content \(kept.number) of \(source.name) is not shown")
    }
    if source.contentNumber != kept.number {
      effect.faults.append("\(source.name) has number \(source.contentNumber ?? 0)")
    }
    if try await objects != before { effect.faults.append("another content changes objects") }
    return effect
  }

  private func refresh() async throws -> Effect {
    let node = random.one(of: nodes)
    guard let path = randomPath(in: node.source) else { return try await fetch() }
    let refresh = random.one(of: Refresh.allCases)
    last = "\(refresh) \(node.source.name) \(path)"
    var effect = Effect(isEdit: true, isRefresh: true)
    let id = ObjectKeyPath(key: "id").evaluate(on: try await node.source.object(at: path))
    do {
      try await node.source.refresh(refresh, at: path)
      // A source is not reached through one that does not follow the sources below.
      let isReached =
        node.source.isReachedByEdits
        && SourceGraph.sources(below: node.source).allSatisfy { $0.error == nil }
      if isReached, try await !node.source.changes().contains(refresh.change(at: path)) {
        effect.faults.append(
          "no such change of \(node.source.summary): \(try await node.source.shown?.text ?? "")")
      }
      if !id.isNull { effect.faults += try await objectsShownAgain(otherThan: id) }
    } catch {
      last += ": \(error)"
    }
    return effect
  }

  /// The sources that show another object again than the one with an id. Some have no key `id`.
  private func objectsShownAgain(otherThan id: Value) async throws -> [String] {
    var faults: [String] = []
    for node in nodes where node.views.endedRounds > 0 {
      for case .reload(let path, _) in node.source.state.refreshes {
        let shown = ObjectKeyPath(key: "id").evaluate(on: try await node.source.object(at: path))
        if !shown.isNull, shown != id {
          faults.append("\(node.source.name) (\(node.source.summary)) shows \(shown.json) again")
        }
      }
    }
    return faults
  }
}
