import DataSources
import DataTables

extension Session {
  /// Runs the commands of a pipe, each with the result of the one before it.
  ///
  /// What the last one has to say is the answer; warnings and notes of the others go with it.
  ///
  /// - Parameters:
  ///   - name: bound as soon as there is a source for it.
  ///   - isLine: whether the pipe is a line of its own, so that a loaded file gets a name and a
  ///     script can be run.
  mutating func run(
    _ pipe: Pipe, naming name: String? = nil, isLine: Bool = false
  ) async throws -> CommandResult {
    var rest = pipe.stages[...]
    var answer: CommandResult
    if let head = pipe.head {
      if isLine, rest.isEmpty { try checkWord(head) }
      let operand = try await evaluate(head)
      answer = CommandResult(operand, output(of: operand, at: head.span))
    } else if let first = rest.popFirst() {
      answer = try await run(first, piped: nil)
      try settle(answer, of: 0, in: pipe, naming: name, isLine: isLine)
    } else {
      return CommandResult()
    }
    for index in rest.indices {
      let warnings = answer.output.passedOn
      answer = try await run(pipe.stages[index], piped: answer.operand)
      if !warnings.isEmpty { answer.output.warnings = warnings + answer.output.warnings }
      try settle(answer, of: index, in: pipe, naming: name, isLine: isLine)
    }
    return answer
  }

  /// Binds the source that a stage of a pipe made, when `let` binds that one.
  private mutating func settle(
    _ answer: borrowing CommandResult, of index: Int, in pipe: Pipe, naming name: String?,
    isLine: Bool
  ) throws {
    if answer.script != nil, !isLine || pipe.stages.count > 1 {
      let verb = pipe.stages[index].verb
      throw Diagnostic(.badArgument, "\(verb.text) stands alone on its line", at: verb.span)
    }
    let name = name ?? (isLine ? answer.name : nil)
    if let name, case .source = answer.operand, index == bindingStage(of: pipe) {
      bind(name, to: answer.operand)
    }
  }

  /// A line of one word can have been meant as a name or as a verb.
  private func checkWord(_ head: Expression) throws {
    guard case .name(let name) = head.kind, name != "_", name != "args",
      names[name] == nil
    else { return }
    let known = commands.names + bindings.map(\.name)
    throw Diagnostic(
      .unknownName, "no command or name `\(name)`",
      suggestion: Suggestion.nearest(to: name, among: known), at: head.span)
  }

  /// The stage whose source `let` binds before the others run: the last that makes one, when all
  /// after it give it back. A fetch that fails then leaves a name to look at.
  private func bindingStage(of pipe: Pipe) -> Int? {
    guard let index = pipe.stages.lastIndex(where: { $0.command.resultKind != .sameSource })
    else { return nil }
    return pipe.stages[index].command.resultKind == .newSource ? index : nil
  }

  private mutating func run(_ stage: Stage, piped: Operand?) async throws -> CommandResult {
    guard !cancellation.isCancelled else {
      throw Diagnostic(.cancelled, "\(stage.verb.text) was cancelled", at: stage.verb.span)
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
}

extension Output {
  /// What must not be lost of a command in the middle of a pipe: its warnings and notes.
  fileprivate var passedOn: [String] {
    guard case .report(let report) = content else { return warnings }
    let notes = report.notes.map { note in note.subject.map { "\($0): " + note.text } ?? note.text }
    return notes + warnings
  }
}
