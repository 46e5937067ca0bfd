import DataSources
import DataTables

extension Session {
  /// Runs the lines of a script, as ``Interpreter/run(_:file:keepsGoing:handle:)`` tells.
  mutating func run(
    _ script: ScriptText, keepsGoing: Bool,
    handle: (Interpreter.Event, Session) async throws -> Void
  ) async throws -> Interpreter.Outcome {
    let span = Span(script, 0..<script.bytes.count)
    let (lines, mistakes) = Parser.parse(span, commands: commands)
    guard mistakes.isEmpty else {
      let witness = scriptDepth == 0 ? witness : nil
      for mistake in mistakes {
        try await handle(.failure(mistake), self)
        await witness?.hear(.failure(mistake), self)
      }
      await witness?.end(span.text, nil, self)
      return .notParsed
    }
    // A script that ends before its end ends its fetches too.
    defer { if scriptDepth == 0, !options.isInteractive { background = [] } }
    var outcome = Interpreter.Outcome.done
    if options.isInteractive, try await !tellSettled(handle) { outcome = .failed }
    comingLines.append([])
    defer { comingLines.removeLast() }
    for (index, line) in lines.enumerated() {
      comingLines[comingLines.count - 1] = lines[index...]
      switch try await run(line, keepsGoing: keepsGoing, handle: handle) {
      case .done: continue
      case .failed where keepsGoing && !line.isRequirement: outcome = .failed
      case let ending: return ending
      }
    }
    switch try await finish(handle) {
    case .done: return outcome
    case let ending: return ending
    }
  }

  /// Waits for fetches that go on in the background, but not at the prompt, and tells how they ended.
  mutating func finish(
    _ handle: (Interpreter.Event, Session) async throws -> Void
  ) async throws -> Interpreter.Outcome {
    guard !background.isEmpty, scriptDepth == 0 else { return .done }
    if !options.isInteractive { await waitForBackground() }
    let isFine = try await tellSettled(handle)
    if !options.isInteractive, cancellation.isCancelled { return .cancelled }
    return isFine ? .done : .failed
  }

  /// Tells how fetches ended that went on in the background: at the prompt between what is typed, in
  /// scripts at their end, so that a script says the same whenever its answers come.
  private mutating func tellSettled(
    _ handle: (Interpreter.Event, Session) async throws -> Void
  ) async throws -> Bool {
    guard scriptDepth == 0 else { return true }
    await settleBackground()
    return try await tellBackground(handle)
  }

  /// Runs one line of a script that was read with ``ParsedCommand/all(in:commands:)``; paths are taken
  /// from the folder of the options.
  ///
  /// - Parameter keepsGoing: whether a script that the line runs goes on after errors.
  /// - Throws: what `handle` throws.
  package mutating func run(
    _ line: Line, keepsGoing: Bool = false,
    handle: (Interpreter.Event, Session) async throws -> Void
  ) async throws -> Interpreter.Outcome {
    exitStatus = nil
    let witness = scriptDepth == 0 ? witness : nil
    amendments = []
    let start = options.showsTime ? clock.now : nil
    defer { timeTaken = nil }
    var answer: CommandResult
    do {
      // Showing what the command before had to say may have left something behind.
      progress.restart(line.span.text)
      // What a command shows has nothing under way beside it.
      defer { progress.reset() }
      answer = try await run(line)
      if !watchers.isEmpty { answer.output.heard = try await takeHeardChanges() }
      if !loaded.isEmpty { answer.output.warnings += newTypeChanges() }
    } catch {
      let diagnostic = Diagnostic(facts: error)
      tellTime(since: start)
      try await handle(.failure(diagnostic), self)
      await witness?.hear(.failure(diagnostic), self)
      if let witness { await witness.end(text(of: line, in: witness.folder), line, self) }
      return diagnostic.kind == .cancelled && cancellation.isCancelled ? .cancelled : .failed
    }
    tellTime(since: start)
    try await handle(.output(answer.output), self)
    await witness?.hear(.output(answer.output), self)
    // Lines of a script that it runs amend other texts.
    let text = witness.map { self.text(of: line, in: $0.folder) }
    var outcome = exitStatus.map { Interpreter.Outcome.quit($0) } ?? .done
    if let script = answer.script, exitStatus == nil {
      // What does not parse took no time.
      timeTaken = nil
      outcome = try await include(script, keepsGoing: keepsGoing) { event, session in
        try await handle(event, session)
        await witness?.hear(event, session)
      }
    }
    if let witness, let text { await witness.end(text, line, self) }
    return outcome
  }

  /// - Parameter start: of the command; nil when time was not to be shown then.
  private mutating func tellTime(since start: AdjustableClock.Instant?) {
    timeTaken = options.showsTime ? start?.duration(to: clock.now) : nil
  }

  /// Runs a script that `source` read, with its own folder.
  private mutating func include(
    _ script: ScriptText, keepsGoing: Bool,
    handle: (Interpreter.Event, Session) async throws -> Void
  ) async throws -> Interpreter.Outcome {
    let folder = options.folder
    options.folder = FilePath.folder(of: script.file ?? "")
    scriptDepth += 1
    defer {
      options.folder = folder
      scriptDepth -= 1
    }
    let outcome = try await run(script, keepsGoing: keepsGoing, handle: handle)
    // The script that holds the `source` parsed: it only did not go well.
    return outcome == .notParsed ? .failed : outcome
  }

  /// Runs one line; `let` binds what it gives.
  mutating func run(_ line: Line) async throws -> CommandResult {
    let answer: CommandResult
    switch line.kind {
    case .pipe(let pipe):
      answer = try await run(pipe, isLine: true)
    case .binding(let name, let pipe):
      let outer = pendingName
      pendingName = name.text
      defer { pendingName = outer }
      answer = try await run(pipe, naming: name.text)
      if case .none = answer.operand {
        throw Diagnostic(
          .badArgument, "`\(pipe.span.text)` gives nothing to bind", at: pipe.span)
      }
      bind(name.text, to: answer.operand)
    }
    if case .none = answer.operand { return answer }
    last = answer.operand
    return answer
  }
}

extension Line {
  /// Whether a failure ends the script in any case.
  package var isRequirement: Bool { head == RequireCommand.name }

  /// Whether it checks something: `expect`, `require`.
  package var isCheck: Bool {
    guard case .pipe(let pipe) = kind else { return false }
    return pipe.stages.first?.check != nil
  }

  /// Whether one of its commands has this verb.
  package func has(verb: String) -> Bool {
    switch kind {
    case .pipe(let pipe), .binding(_, let pipe): pipe.stages.contains { $0.verb.text == verb }
    }
  }

  private var head: String? {
    guard case .pipe(let pipe) = kind else { return nil }
    return pipe.stages.first?.verb.text
  }
}
