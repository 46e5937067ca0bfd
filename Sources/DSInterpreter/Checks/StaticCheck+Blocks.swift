// Blocks, and calls of verbs that scripts define.
extension StaticCheck {
  mutating func visitBlock(_ stage: Stage, _ head: BlockHead) {
    switch head {
    case .source:
      if let source = stage.atoms.first {
        checkNames(of: Argument(source, type: .source))
        visit(source)
      } else if !session.options.isInteractive {
        report(stage.missingSource(lastUsed: lastUsed))
      }
      checkBlock(stage.lines)
    case .loop: visitLoop(stage)
    case .condition: visitCondition(stage)
    case .definition:
      guard let definition = stage.definition else { return }
      define(definition)
      // Its names may be bound later, before it is called.
      let outer = scope
      scope.open()
      checkBlock(definition.lines)
      scope = outer
    }
  }

  private mutating func checkBlock(_ lines: [Line]) {
    blockDepth += 1
    check(lines)
    blockDepth -= 1
  }

  private mutating func visitLoop(_ stage: Stage) {
    if let expression = stage.expression { visit(expression) }
    // A line may read what a later line bound in an earlier round. The names in inner loops are among
    // those of the outermost.
    if loopDepth == 0 {
      for line in stage.lines { bindNames(of: line) }
    }
    let name = stage.name?.text
    let outer = name.flatMap { scope[$0] }
    if let name { scope.bind(name, to: .any) }
    loopDepth += 1
    checkBlock(stage.lines)
    loopDepth -= 1
    if let name, outer == nil { scope.unbind(name) }
  }

  private mutating func visitCondition(_ stage: Stage) {
    if let expression = stage.expression { visit(expression) }
    let before = scope
    checkBlock(stage.lines)
    // The names of all ways through the blocks.
    var after = scope
    scope = before
    for branch in stage.branches {
      visit(branch.condition)
      checkBlock(branch.lines)
      after.formUnion(scope)
      scope = before
    }
    checkBlock(stage.alternative)
    scope.formUnion(after)
  }

  /// The maximum number of blocks and calls around a call whose definition is checked. A deeper one is
  /// checked where it is called elsewhere, or when it runs: the stack is limited.
  private static let maxCallDepth = 8

  /// Checks the names in a definition at its first call, where the names of the session are known.
  mutating func visitCall(_ stage: Stage) {
    guard let signature = stage.signature, !scope.isOpen, blockDepth < Self.maxCallDepth,
      let definition = definition(of: signature),
      calledDefinitions.insert(ObjectIdentifier(definition)).inserted
    else { return }
    let outer = (scope, blockDepth, loopDepth, subqueryVariables, lastUsed)
    for name in signature.parameters + signature.labels.map(\.name) { scope.bind(name, to: .any) }
    (loopDepth, subqueryVariables) = (0, [])
    calls.append(stage)
    for value in definition.defaults { visit(value) }
    checkBlock(definition.lines)
    calls.removeLast()
    let bindsAny = scope.isOpen
    (scope, blockDepth, loopDepth, subqueryVariables, lastUsed) = outer
    if bindsAny { scope.open() }
  }
}

// Names of lines that are not checked.
extension StaticCheck {
  /// Binds the names that a line may bind, also in its blocks.
  ///
  /// - Parameter depth: the number of `expect throws` around the line.
  mutating func bindNames(of line: Line, depth: Int = 0) {
    var open: [(pipe: Pipe, isLine: Bool)]
    switch line.kind {
    case .pipe(let pipe): open = [(pipe, true)]
    case .binding(let name, let pipe):
      scope.bind(name.text, to: .any)
      open = [(pipe, false)]
    }
    while let (pipe, isLine) = open.popLast() {
      open += (pipe.head?.commands ?? []).map { ($0, false) }
      for stage in pipe.stages {
        open += stage.commandsInParentheses.map { ($0, false) }
        bindNames(of: stage.command.nameChanges(stage.literals), isLine: isLine)
        if let definition = stage.definition {
          define(definition)
        } else {
          for line in stage.blockLines { bindNames(of: line, depth: depth) }
        }
        if case .throws(_, let rest)? = stage.check { bindNames(ofLineIn: rest, depth: depth) }
      }
    }
  }

  /// - Parameter isLine: whether the command is neither in parentheses nor after `let`, so that its
  ///   result gets a name.
  mutating func bindNames(of changes: NameChanges, isLine: Bool) {
    // A command that unbinds names renames them, wherever it is.
    guard isLine || !changes.unbound.isEmpty else { return }
    for name in changes.bound { scope.bind(name, to: changes.kind) }
    if changes.bindsAny { scope.open() }
  }

  /// Binds the names of the line after `expect throws KIND:`, which may bind a name before it fails.
  mutating func bindNames(ofLineIn rest: Span, depth: Int = 0) {
    guard depth < 4 else {
      scope.open()
      return
    }
    for line in Parser.parse(rest, commands: commands).lines {
      bindNames(of: line, depth: depth + 1)
    }
  }
}
