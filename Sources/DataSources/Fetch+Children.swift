extension Fetch {
  /// The contents of the source's children, each brought up to date, in the order of the children
  /// in whatever order they answer. A partial is told as each but the last one answers.
  ///
  /// Children that wait for something outside (``DataSource/fetchesSynchronously``) are fetched at the same time
  /// when the sources are confined to an actor, in which their steps take turns. All others are
  /// fetched one after another, so that the same fetch always tells the same events.
  public func childSnapshots(
    isolation: isolated (any Actor)? = #isolation
  ) async -> [Result<Snapshot, SourceError>] {
    let answers = ChildAnswers(of: source, in: round)
    var waiting: [Task<Void, Never>] = []
    for (index, child) in source.children.enumerated() {
      if isolation == nil || SourceGraph.fetchesSynchronously(child) {
        answers.take(await round.snapshot(of: child, cancellation: cancellation), from: index)
        continue
      }
      // Begun here, so that the wills come in the order of the children.
      let flag = round.begin(child, cancellation: cancellation)
      waiting.append(
        Task { [round, cancellation] in
          // Named, the isolation is that of the task; else it would run outside of any.
          _ = isolation
          let result =
            if let flag {
              await round.run(child, flag)
            } else {
              await round.snapshot(of: child, cancellation: cancellation)
            }
          answers.take(result, from: index)
        })
    }
    for task in waiting { await task.value }
    return answers.results
  }
}

/// What the children of a source answered so far.
private final class ChildAnswers {
  private let source: any DataSource
  private let round: FetchRound
  private var answered: [Result<Snapshot, SourceError>?]

  init(of source: any DataSource, in round: FetchRound) {
    self.source = source
    self.round = round
    answered = Array(repeating: nil, count: source.children.count)
  }

  var results: [Result<Snapshot, SourceError>] {
    answered.map { $0 ?? .failure(.notFetched) }
  }

  func take(_ result: Result<Snapshot, SourceError>, from index: Int) {
    answered[index] = result
    guard answered.contains(where: { $0 == nil }) else { return }
    var error: SourceError?
    if case .failure(let failure) = result { error = failure }
    let name = source.children[index].name
    let answer = ChildOutcome(index: index, name: name, error: error)
    round.reportPartial(.child(answer), of: source)
  }
}
