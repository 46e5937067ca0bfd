// Blocks, and calls of verbs that scripts define.
extension ScriptExecution {
  /// Runs a command with a block, or a verb that a script defines; its lines report their results as
  /// they end.
  func evaluateBlock(
    _ stage: Stage, _ observers: CommandObservers, keepsGoing: Bool, in session: inout Session,
    handle: EventHandler
  ) async throws -> (output: Output, ending: ExecutionOutcome) {
    var (output, ending) = try await session.evaluateBlock(stage) { lines, session in
      try await run(lines, of: stage, keepsGoing: keepsGoing, in: &session) { event, session in
        try await handle(event, session)
        await observers.receive(event, session)
      }
    }
    if ending == .done { try await complete(&output, in: &session) }
    return (output, ending)
  }

  /// Runs lines of the blocks or of the definition of a command.
  private func run(
    _ lines: [Line], of stage: Stage, keepsGoing: Bool, in session: inout Session,
    handle: EventHandler
  ) async throws -> ExecutionOutcome {
    hasRunAllLines = true
    if lines.isEmpty { return .done }
    announce(lines)
    blockDepth += 1
    defer {
      retract()
      blockDepth -= 1
    }
    // A transaction is made whole or not at all.
    let isAtomic = session.transaction?.isBlock ?? false
    let outer = goesOnAfterFailure
    goesOnAfterFailure = !isAtomic && keepsGoing
    defer { goesOnAfterFailure = outer }
    var outcome = ExecutionOutcome.done
    for line in lines {
      if checksThatRan != nil, line.isCheck { checksThatRan?.insert(ObjectIdentifier(line)) }
      let ending = try await execute(line, keepsGoing: keepsGoing, in: &session) { event, session in
        try await handle(event.called(by: stage), session)
      }
      if ending == .done { continue }
      let goesOn = goesOnAfterFailure || !isAtomic && self.goesOn(afterFailureOf: line)
      guard ending == .failed, goesOn, !requirementFailed else {
        hasRunAllLines = false
        return ending
      }
      outcome = .failed
    }
    hasRunAllLines = true
    return outcome
  }

  /// Runs the lines of a call whose value is used: their results are not shown, but their warnings are
  /// those of the running command.
  ///
  /// - Throws: ``Diagnostic``: the error of a line.
  func runSilently(_ lines: [Line], of stage: Stage, in session: inout Session) async throws {
    let outer = session.pendingWarnings
    var warnings: [String] = []
    var mistake: Diagnostic?
    let ending = try await run(lines, of: stage, keepsGoing: false, in: &session) { event, _ in
      switch event {
      case .output(let output): warnings += output.warnings
      case .failure(let failure): mistake = failure
      }
    }
    session.pendingWarnings = outer
    for warning in warnings { session.warn(warning) }
    if let mistake { throw mistake }
    if case .quit(let status) = ending { exitStatus = status }
  }

  /// Runs `body` as a call of a verb that a script defines.
  /// - Throws: ``Diagnostic`` of kind `limit` for calls that are nested too deep.
  func calling<Result>(_ stage: Stage, _ body: () async throws -> Result) async throws -> Result {
    guard calls.count < Self.maxCalls else {
      let names = calls.suffix(3).map(\.verb.text) + [stage.verb.text]
      throw Diagnostic(
        .limit, "calls are nested more than \(Self.maxCalls) levels deep",
        details: ["… \(names.joined(separator: " calls "))"], at: stage.verb.span)
    }
    calls.append(stage)
    defer { calls.removeLast() }
    return try await body()
  }

  /// The maximum nesting of calls, which stops verbs that call themselves endlessly.
  private static let maxCalls = 100
}

extension ExecutionEvent {
  /// The event of a line that a call runs: an error also names the call.
  fileprivate func called(by stage: Stage) -> ExecutionEvent {
    guard stage.signature != nil, case .failure(var mistake) = self else { return self }
    mistake.add(call: stage.verb.text, at: stage.verb.span.place)
    return .failure(mistake)
  }
}
