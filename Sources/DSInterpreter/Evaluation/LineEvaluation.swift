import DataSources
package import DataTables

// From a line to the command that runs: line, pipe, stage.
extension Session {
  /// Evaluates a line; `let` binds its result, and `_` refers to it.
  mutating func evaluate(
    _ line: Line, isolation: isolated (any Actor)? = #isolation
  ) async throws -> CommandResult {
    try await AdjustableClock.$current.withValue(clock) {
      // The closure stays in the isolation of the sources only if it captures it.
      _ = isolation
      guard let files else { return try await evaluateNow(line) }
      return try await FileOverlay.$current.withValue(files) {
        _ = isolation
        return try await evaluateNow(line)
      }
    }
  }

  private mutating func evaluateNow(_ line: Line) async throws -> CommandResult {
    relieveMemory()
    let result: CommandResult
    switch line.kind {
    case .pipe(let pipe):
      result = try await evaluate(pipe, isLine: true)
      if case .database = result.operand, let name = result.name { bind(name, to: result.operand) }
    case .binding(let name, let pipe):
      let outer = pendingName
      let replaced = names[name.text]
      pendingName = name.text
      defer { pendingName = outer }
      result = try await evaluate(pipe, naming: name.text)
      if case .none = result.operand {
        // A call has ended the script.
        if execution.exitStatus != nil { return result }
        throw Diagnostic(
          .badArgument, "`\(pipe.span.text)` returns nothing to bind", at: pipe.span)
      }
      warnAboutBinding(name.text, result.operand, replacing: replaced)
      bind(name.text, to: result.operand)
    }
    self.result = result.operand
    if case .none = result.operand { return result }
    last = result.operand
    execution.boundNames.insert("_")
    return result
  }

  /// Evaluates the stages of a pipe, each with the result of the stage before it.
  ///
  /// Returns the result of the last stage, with the warnings and notes of the others.
  ///
  /// - Parameters:
  ///   - name: the name to bind, as soon as the source exists.
  ///   - isLine: whether the pipe is a line of its own, so that a loaded file gets a name and a
  ///     script can be run.
  mutating func evaluate(
    _ pipe: Pipe, naming name: String? = nil, isLine: Bool = false
  ) async throws -> CommandResult {
    var rest = pipe.stages[...]
    var result: CommandResult
    if let head = pipe.head {
      if isLine, rest.isEmpty { try checkWord(head) }
      let operand = try await evaluate(head)
      if case .source(let source) = operand { try await showTransaction(in: source) }
      result = CommandResult(operand, output(of: operand, at: head.span))
    } else if let first = rest.popFirst() {
      result = try await evaluate(first, piped: nil)
      try bindEarly(result, of: 0, in: pipe, naming: name, isLine: isLine)
    } else {
      return CommandResult()
    }
    for index in rest.indices {
      let warnings = result.output.passedOn
      result = try await evaluate(pipe.stages[index], piped: result.operand)
      if !warnings.isEmpty { result.output.warnings = warnings + result.output.warnings }
      try bindEarly(result, of: index, in: pipe, naming: name, isLine: isLine)
    }
    return result
  }

  /// The result of a pipe in parentheses, whose warnings and notes are shown with those of the
  /// command around it.
  mutating func evaluateInParentheses(_ pipe: Pipe) async throws -> Operand {
    let result = try await evaluate(pipe)
    for warning in result.output.passedOn { warn(warning) }
    return result.operand
  }

  /// Warns about a name that is also a verb, and about one whose former source wrappers keep.
  private mutating func warnAboutBinding(
    _ name: String, _ operand: Operand, replacing replaced: Operand?
  ) {
    if names.isInCall { return }
    if commands[name] != nil, replaced == nil {
      warn("`\(name)` is also a command, which the word means at the start of a line")
    }
    guard case .source(let old)? = replaced, case .source(let new) = operand, old !== new,
      !new.wraps(old)
    else { return }
    let wrappers = old.state.wrappers.compactMap { boundName(of: $0) }
    guard !wrappers.isEmpty else { return }
    let list = wrappers.joined(separator: ", ")
    warn(
      "\(list) still \(wrappers.count == 1 ? "wraps" : "wrap") the source that was named `\(name)`")
  }

  /// Runs the command of a stage.
  private mutating func evaluate(_ stage: Stage, piped: Operand?) async throws -> CommandResult {
    guard !cancellation.isCancelled else {
      throw Diagnostic(.cancelled, "\(stage.verb.text) was canceled", at: stage.verb.span)
    }
    guard let type = stage.command as? any Command.Type else {
      throw Diagnostic(
        .unknownVerb, "`\(stage.verb.text)` is declared but cannot run", at: stage.verb.span)
    }
    if options.traces { traceStatements() }
    do {
      let stage = try await inserting(valuesIn: stage, isPiped: piped != nil)
      var arguments = try Arguments(stage, piped: piped)
      let result = try await type.result(of: &arguments, in: &self)
      if type.resultKind == .newSource, case .source(let source) = result.operand {
        try checkDepth(of: source, at: stage)
        try await identify(source, by: arguments)
      }
      return result
    } catch {
      throw diagnostic(of: error, in: stage)
    }
  }

  /// Fails for a source over too many others: fetches and releases pass through all of them.
  private func checkDepth(of source: any DataSource, at stage: Stage) throws(Diagnostic) {
    // Usually, few sources are below it.
    guard source.children.contains(where: { !$0.children.isEmpty }) else { return }
    let depth = SourceGraph.depth(of: source)
    let limit = options.depthLimit
    if depth <= limit { return }
    let higher = min(limit * 2, SessionOptions.maxDepth)
    throw Diagnostic(
      .limit,
      "\(depth.counted("source")) would be below this one, more than \(limit.grouped)"
        + (higher > limit ? " (`option depth \(higher)` raises the limit)" : ""),
      at: stage.verb.span)
  }

  /// Runs a command with a block.
  ///
  /// - Returns: its output, and how its lines ended; `_` refers to its result.
  mutating func evaluateBlock(
    _ stage: Stage, isolation: isolated (any Actor)? = #isolation, body: BlockBody
  ) async throws -> (output: Output, ending: ExecutionOutcome) {
    guard !cancellation.isCancelled else {
      throw Diagnostic(.cancelled, "\(stage.verb.text) was canceled", at: stage.verb.span)
    }
    guard let type = stage.command as? any BlockCommand.Type else {
      throw Diagnostic(
        .unknownVerb, "`\(stage.verb.text)` is declared but cannot run", at: stage.verb.span)
    }
    do {
      let stage = try await inserting(valuesIn: stage, isPiped: false)
      var arguments = try Arguments(stage, piped: nil)
      let command = try type.init(parsing: &arguments)
      try arguments.finish(isInteractive: options.isInteractive)
      let (result, ending) = try await AdjustableClock.$current.withValue(clock) {
        // As in the evaluation of a line.
        _ = isolation
        return try await command.run(in: &self, body: body)
      }
      self.result = result.operand
      if case .none = result.operand {} else { last = result.operand }
      return (result.output, ending)
    } catch {
      throw diagnostic(of: error, in: stage)
    }
  }

  /// Rejects a line of one unknown word, which may have been meant as a name or as a verb.
  private func checkWord(_ head: Expression) throws {
    guard case .name(let name) = head.kind, name != "_", name != "args",
      names[name] == nil
    else { return }
    throw unknownName(name, use: .line, at: head.span)
  }

  /// Binds the source of a stage before the rest of the pipe runs, if the source will be bound in
  /// the end: after a failed fetch, the source can be inspected by its name.
  private mutating func bindEarly(
    _ result: borrowing CommandResult, of index: Int, in pipe: Pipe, naming name: String?,
    isLine: Bool
  ) throws {
    if result.following != nil, !isLine || pipe.stages.count > 1 {
      let verb = pipe.stages[index].verb
      throw Diagnostic(.badArgument, "\(verb.text) must be alone on its line", at: verb.span)
    }
    let name = name ?? (isLine ? result.name : nil)
    if let name, case .source = result.operand, index == pipe.bindingStage {
      bind(name, to: result.operand)
    }
  }
}

extension Output {
  /// The warnings and notes of a command inside a pipe, which are shown with those of the last
  /// command.
  fileprivate var passedOn: [String] {
    guard case .report(let report) = content else { return warnings }
    return report.notes.map(\.line) + warnings
  }
}

extension Session {
  /// The value of an expression or a command in a text of its own, such as the answer to a question.
  ///
  /// - Throws: ``Diagnostic`` if it does not parse, cannot be evaluated, or has no value.
  package mutating func value(ofExpression text: String) async throws -> Value {
    let script = ScriptText("print (\(text))")
    let commands = ParsedCommand.all(
      in: Span(script, 0..<script.bytes.count), commands: self.commands)
    if case .mistake(let mistake, _, _)? = commands.first { throw mistake }
    guard let line = commands.onlyLine else {
      throw Diagnostic(.syntax, "`\(text)` is not one expression")
    }
    guard case .value(let value) = try await evaluate(line).operand else {
      throw Diagnostic(.badArgument, "`\(text)` has no value", at: line.span)
    }
    return value
  }
}

extension Session {
  /// After a command that needed more memory than the limit, releases the columns of all tables, so that
  /// the next command has room. They are decoded again when they are needed.
  func relieveMemory() {
    guard MemoryLimit.wasExceeded else { return }
    for binding in bindings {
      guard case .source(let source) = binding.value else { continue }
      for source in SourceGraph.sources(below: source) {
        guard let table = source.state.snapshot?.store.local?.table else { continue }
        table.release(table.keys.map { ObjectKeyPath(key: $0) })
      }
    }
    MemoryLimit.measureAgain()
  }
}
