import DataSources
import DataTables

// From a line to the command that runs: line, pipe, stage.
extension Session {
  /// Evaluates a line; `let` binds its result, and `_` becomes it.
  mutating func evaluate(_ line: Line) async throws -> CommandResult {
    let answer: CommandResult
    switch line.kind {
    case .pipe(let pipe):
      answer = try await evaluate(pipe, isLine: true)
    case .binding(let name, let pipe):
      let outer = pendingName
      pendingName = name.text
      defer { pendingName = outer }
      answer = try await evaluate(pipe, naming: name.text)
      if case .none = answer.operand {
        throw Diagnostic(
          .badArgument, "`\(pipe.span.text)` returns nothing to bind", at: pipe.span)
      }
      bind(name.text, to: answer.operand)
    }
    if case .none = answer.operand { return answer }
    last = answer.operand
    return answer
  }

  /// Evaluates the stages of a pipe, each with the result of the one before it.
  ///
  /// The result is that of the last stage, with the warnings and notes of the others.
  ///
  /// - Parameters:
  ///   - name: bound as soon as there is a source for it.
  ///   - isLine: whether the pipe is a line of its own, so that a loaded file gets a name and a
  ///     script can be run.
  mutating func evaluate(
    _ pipe: Pipe, naming name: String? = nil, isLine: Bool = false
  ) async throws -> CommandResult {
    var rest = pipe.stages[...]
    var answer: CommandResult
    if let head = pipe.head {
      if isLine, rest.isEmpty { try checkWord(head) }
      let operand = try await evaluate(head)
      answer = CommandResult(operand, output(of: operand, at: head.span))
    } else if let first = rest.popFirst() {
      answer = try await evaluate(first, piped: nil)
      try bindEarly(answer, of: 0, in: pipe, naming: name, isLine: isLine)
    } else {
      return CommandResult()
    }
    for index in rest.indices {
      let warnings = answer.output.passedOn
      answer = try await evaluate(pipe.stages[index], piped: answer.operand)
      if !warnings.isEmpty { answer.output.warnings = warnings + answer.output.warnings }
      try bindEarly(answer, of: index, in: pipe, naming: name, isLine: isLine)
    }
    return answer
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
    do {
      var arguments = try Arguments(stage, piped: piped)
      let answer = try await type.result(of: &arguments, in: &self)
      if type.resultKind == .newSource, case .source(let source) = answer.operand {
        try await identify(source, by: arguments)
      }
      return answer
    } catch {
      throw diagnostic(of: error, in: stage)
    }
  }

  /// Rejects a line of one unknown word, which may have been meant as a name or as a verb.
  private func checkWord(_ head: Expression) throws {
    guard case .name(let name) = head.kind, name != "_", name != "args",
      names[name] == nil
    else { return }
    let known = commands.names + bindings.map(\.name)
    throw Diagnostic(
      .unknownName, "no command or name `\(name)`",
      suggestion: Suggestion.nearest(to: name, among: known), at: head.span)
  }

  /// Binds the source of a stage before the rest of the pipe runs, when it is the source that `let`
  /// binds in the end: a fetch that fails then leaves a name to inspect.
  private mutating func bindEarly(
    _ answer: borrowing CommandResult, of index: Int, in pipe: Pipe, naming name: String?,
    isLine: Bool
  ) throws {
    if answer.script != nil, !isLine || pipe.stages.count > 1 {
      let verb = pipe.stages[index].verb
      throw Diagnostic(.badArgument, "\(verb.text) must be alone on its line", at: verb.span)
    }
    let name = name ?? (isLine ? answer.name : nil)
    if let name, case .source = answer.operand, index == bindingStage(of: pipe) {
      bind(name, to: answer.operand)
    }
  }

  /// The stage whose source `let` binds: the last that makes one, when all after it return it.
  private func bindingStage(of pipe: Pipe) -> Int? {
    guard let index = pipe.stages.lastIndex(where: { $0.command.resultKind != .sameSource })
    else { return nil }
    return pipe.stages[index].command.resultKind == .newSource ? index : nil
  }
}

extension Output {
  /// The warnings and notes of a command in the middle of a pipe, which are shown with the last.
  fileprivate var passedOn: [String] {
    guard case .report(let report) = content else { return warnings }
    let notes = report.notes.map { note in note.subject.map { "\($0): " + note.text } ?? note.text }
    return notes + warnings
  }
}
