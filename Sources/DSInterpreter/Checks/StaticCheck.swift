import DataTables

/// Finds mistakes in the lines of a script before any of them runs: wrong arguments, and names that
/// nothing can be bound to.
///
/// The errors are those that the lines would throw when they run. A line has at most one mistake, the
/// first that its run would meet; the lines of its blocks have their own. Names are checked only where
/// they are known without running: not after `source`, which may bind any name, and in a `def` only
/// where its first call shows which names of the session exist.
package struct StaticCheck {
  let session: Session
  /// The commands of the session, and the verbs that the checked lines define.
  var commands: CommandTable
  var scope: NameScope
  /// The mistake of the line that is checked.
  var mistake: Diagnostic?
  /// The name of the source used last, for the error of a missing source.
  var lastUsed: String?
  /// The variables of the subqueries around the expression that is checked.
  var subqueryVariables: [String] = []
  /// The definitions in the checked lines.
  private var definitions: [String: Definition] = [:]
  /// The definitions whose names were checked at a call. Lazy, because the lookup of its conformance to
  /// `Hashable` takes a seventh of the instructions of a start.
  lazy var calledDefinitions: Set<ObjectIdentifier> = []
  /// The calls around the line that is checked, outermost first.
  var calls: [Stage] = []
  /// The number of blocks around the line that is checked.
  var blockDepth = 0
  /// The number of loops around the line that is checked.
  var loopDepth = 0
  private var found: [Diagnostic] = []
  /// Whether a line may run after one that failed, so that a name it unbinds may still be bound.
  private let keepsGoing: Bool

  /// - Parameters:
  ///   - session: the session in which the lines will run.
  ///   - keepsGoing: whether lines run after one that failed.
  package init(in session: Session, keepsGoing: Bool = false) {
    self.session = session
    commands = session.commands
    self.keepsGoing = keepsGoing
    scope = NameScope(session.names)
    lastUsed = session.lastSource.flatMap { session.boundName(of: $0) }
  }

  /// The mistakes so far, in the order of their lines.
  package var mistakes: [Diagnostic] {
    if found.count < 2 { return found }
    // The offsets keep mistakes of one line in order.
    return found.enumerated().sorted {
      ($0.element.place?.line ?? 0, $0.offset) < ($1.element.place?.line ?? 0, $1.offset)
    }.map(\.element)
  }

  /// Checks the next command of the script.
  package mutating func check(_ command: ParsedCommand) {
    switch command {
    case .line(let line): check(line)
    case .mistake(let mistake, _, _):
      found.append(mistake)
      scope.open()
    }
  }

  /// Accepts a command that is expected to fail, or that may not run; it may bind names.
  package mutating func pass(_ command: ParsedCommand) {
    switch command {
    case .line(let line): bindNames(of: line)
    case .mistake: break
    }
  }

  mutating func check(_ lines: [Line]) {
    for line in lines { check(line) }
  }

  private mutating func check(_ line: Line) {
    // The line around a block may have a mistake of its own.
    let outer = mistake
    defer { mistake = outer }
    mistake = nil
    switch line.kind {
    case .pipe(let pipe): visit(pipe, isLine: true)
    case .binding(let name, let pipe): visit(pipe, binding: name.text)
    }
    guard var mistake else { return }
    // The arguments in a definition are checked once, where it is defined.
    if !calls.isEmpty, mistake.kind != .unknownName { return }
    for call in calls.reversed() { mistake.add(call: call.verb.text, at: call.verb.span.place) }
    found.append(mistake)
  }

  mutating func define(_ definition: Definition) {
    definitions[definition.signature.name] = definition
    commands.declare(definition.signature)
  }

  /// The definition that a call runs; nil if it is known only when the call runs.
  func definition(of signature: Signature) -> Definition? {
    definitions[signature.name] ?? commands.definition(named: signature.name) as? Definition
  }

  /// Keeps the first mistake of a line.
  mutating func report(_ error: any Error) {
    if mistake == nil { mistake = Diagnostic(facts: error) }
  }

  private mutating func visit(_ pipe: Pipe, binding name: String) {
    visit(pipe, bindingEarly: name)
    let kind: BoundKind
    if pipe.bindingStage != nil {
      kind = .source
      lastUsed = name
    } else if case .literal? = pipe.head?.kind, pipe.stages.isEmpty {
      kind = .value
    } else {
      kind = .any
    }
    scope.bind(name, to: kind)
  }

  /// - Parameters:
  ///   - isLine: whether the pipe is a line of its own, in which one word may be a command.
  ///   - name: the name that is bound when the first command has made a source.
  mutating func visit(_ pipe: Pipe, isLine: Bool = false, bindingEarly name: String? = nil) {
    if let head = pipe.head {
      if isLine, pipe.stages.isEmpty, case .name(let word) = head.kind {
        checkName(word, use: .line, at: head.span)
      } else {
        visit(head)
      }
    }
    for (index, stage) in pipe.stages.enumerated() {
      visit(stage, isPiped: index > 0 || pipe.head != nil, isLine: isLine)
      if let name, scope[name] == nil, pipe.stages.count > 1 { scope.bind(name, to: .any) }
    }
  }

  private mutating func visit(_ stage: Stage, isPiped: Bool, isLine: Bool) {
    switch stage.command.form {
    case .block(let head): visitBlock(stage, head)
    case .check: if let check = stage.check { visit(check) }
    case .arguments, .expression:
      visitArguments(of: stage, isPiped: isPiped)
      if stage.signature != nil { visitCall(stage) }
      apply(stage.command.nameChanges(stage.literals), isLine: isLine)
      // No line runs after one that ends the script.
      if stage.command.endsScript, blockDepth == 0 || !calls.isEmpty { scope.open() }
    }
  }

  private mutating func apply(_ changes: NameChanges, isLine: Bool) {
    bindNames(of: changes, isLine: isLine)
    if isLine, changes.kind == .source, let name = changes.bound.first { lastUsed = name }
    // A renamed name of the session stays bound after a call.
    if !calls.isEmpty, !changes.unbound.isEmpty { scope.open() }
    if blockDepth == 0, !keepsGoing, mistake == nil {
      for name in changes.unbound where !changes.bound.contains(name) { scope.unbind(name) }
    }
  }
}

extension Session {
  /// The mistakes in the commands of a script that are found before it runs, and those of commands
  /// that do not parse; see ``StaticCheck``.
  ///
  /// - Parameter keepsGoing: whether lines run after one that failed.
  /// - Complexity: O(size of the commands), plus O(names) for each mistake.
  package func mistakes(
    in commands: some Sequence<ParsedCommand>, keepsGoing: Bool
  ) -> [Diagnostic] {
    var check = StaticCheck(in: self, keepsGoing: keepsGoing)
    for command in commands { check.check(command) }
    return check.mistakes
  }
}
