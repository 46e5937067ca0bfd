import DataTables

/// An unfinished command, or the content of an open bracket.
struct CompletionFrame {
  let opening: Opening
  var phase = Phase.head
  var verb: String?
  var form: CommandForm?
  /// Whether names in expressions are first the keys of objects.
  var readsKeys = false
  /// The bare words of the pipe before the cursor, except verbs.
  var words: [String] = []
  /// The number of arguments by position before the cursor, including the value that `|` passes.
  var numberOfArguments = 0
  /// Whether `|` precedes the command.
  var isPiped = false
  /// The label, or the key of a record, whose value is being typed.
  var label: String?
  /// The labels so far, with the one whose value is being typed.
  var labels: Set<String> = []
  /// The words of the value of the label, since the last comma; "" for a value that is not a word.
  var group: [String] = []
  /// The number of commas so far.
  var commas = 0
  /// The word before the first comma.
  var firstElement: String?
  /// The position in the expression, or in the predicate that is the value of the label.
  var expression = ExpressionPosition()
  /// Whether the value of the label is a predicate.
  var isPredicate = false
  /// The names that are visible in the frame.
  var names: [LocalName] = []
  /// The names that the block of the command will have.
  var blockNames: [LocalName] = []
  /// The name that `let` binds.
  var boundName: String?

  init(_ opening: Opening) { self.opening = opening }

  var isBracket: Bool {
    switch opening {
    case .line, .block: false
    default: true
    }
  }

  /// Whether the frame has commands, not elements.
  var isCommand: Bool {
    switch opening {
    case .line, .block, .parenthesis, .insertion: true
    case .call, .list, .index, .options, .record: false
    }
  }

  private var isCondition: Bool { if case .block(.condition)? = form { true } else { false } }

  var isExpression: Bool { phase == .expression || isPredicate }

  var mode: Scanner.Mode {
    switch phase {
    case .head, .nextLine, .newName, .equals, .expression, .loopName: .expression
    default: isPredicate ? .expression : .arguments
    }
  }

  /// Whether `{` opens a block.
  var opensBlock: Bool {
    guard case .block(let head)? = form else { return false }
    return switch (head, phase) {
    case (_, .alternative), (.source, .arguments): true
    case (.loop, .expression), (.condition, .expression): expression.expected != .operand
    case (.definition, .parameters): label == nil || !group.isEmpty
    default: false
    }
  }
}

// The tokens of a frame.
extension CompletionFrame {
  mutating func take(_ word: String, _ commands: CommandTable) {
    switch phase {
    case .head: takeHead(word, commands)
    case .newName:
      boundName = word
      phase = .equals
    case .equals: if word == "=" { phase = .head }
    case .loopName:
      blockNames = [LocalName(name: word)]
      phase = .loopKeyword
    case .loopKeyword: if word == "in" { phase = .expression }
    case .definitionName: phase = .parameters
    case .parameters:
      if label != nil, group.isEmpty {
        group.append(word)
      } else {
        blockNames.append(LocalName(name: word))
      }
    case .end: if word == "else", isCondition { phase = .alternative }
    case .nextLine:
      if word == "else" {
        phase = .alternative
      } else {
        takeLineEnd()
        takeHead(word, commands)
      }
    case .alternative: setVerb(word, commands)
    case .recordKey: group.append(word)
    case .arguments where isPredicate: expression.take(word)
    case .expression:
      // A check begins with several words: `all foods`.
      if expression.expected == .operand || form?.isCheck == true { words.append(word) }
      if expression.expected == .operand {
        if !blockNames.isEmpty { blockNames[0].source = word }
      }
      expression.take(word)
    case .arguments:
      if opening == .parenthesis, words.isEmpty, label == nil, numberOfArguments == 0,
        let name = verb, let symbol = Self.symbol(word)
      {
        // A key or a name may be the same as a verb: `(count > 3)`.
        verb = nil
        phase = .expression
        expression.takeOperand(name)
        expression.take(symbol)
        return
      }
      takeArgument(word, commands)
    }
  }

  private static func symbol(_ word: String) -> Token.Symbol? {
    if word == "=" { return .assignment }
    let kind = ComparisonOperator.Kind(rawValue: word)
    return kind.map(Token.Symbol.comparison)
  }

  private mutating func takeHead(_ word: String, _ commands: CommandTable) {
    if word == "let", boundName == nil, !isPiped, opening == .line || opening == .block {
      phase = .newName
    } else if commands[word] != nil || commands.signature(named: word) != nil {
      setVerb(word, commands)
    } else {
      phase = .expression
      words.append(word)
      expression.take(word)
    }
  }

  private mutating func setVerb(_ word: String, _ commands: CommandTable) {
    verb = word
    form = commands[word]?.form ?? .arguments
    expression = ExpressionPosition()
    phase =
      switch form {
      case .expression?, .check?, .block(.condition)?: .expression
      case .block(.loop)?: .loopName
      case .block(.definition)?: .definitionName
      case .arguments?, .block(.source)?, nil: .arguments
      }
  }

  mutating func take(_ symbol: Token.Symbol) {
    if phase == .equals { phase = .head } else { expression.take(symbol) }
  }

  /// Takes a label of a command, or the key of a record.
  ///
  /// - Parameter isPredicate: whether the value of the label is a predicate.
  mutating func takeLabel(_ name: String, isPredicate: Bool) {
    if phase == .parameters { blockNames.append(LocalName(name: name)) }
    label = name
    labels.insert(name)
    group = []
    if phase == .expression { phase = .arguments }
    self.isPredicate = isPredicate
    readsKeys = isPredicate
    expression = ExpressionPosition()
  }

  /// Takes a string, or what brackets contain.
  mutating func takeValue() {
    switch phase {
    case .head:
      phase = .expression
      expression.takeOperand()
    case .expression: expression.takeOperand()
    case .arguments where isPredicate: expression.takeOperand()
    case .arguments, .parameters, .recordKey: takeArgument()
    case .nextLine:
      takeLineEnd()
      takeValue()
    case .newName, .equals, .loopName, .loopKeyword, .definitionName, .end, .alternative: break
    }
  }

  mutating func takeComma() {
    if commas == 0 { firstElement = group.first }
    commas += 1
    group = []
    expression = ExpressionPosition()
    if opening == .record {
      label = nil
      phase = .recordKey
    }
  }

  /// Begins the next command of the pipe.
  mutating func takeBar() {
    var next = CompletionFrame(opening)
    next.words = words
    next.numberOfArguments = 1
    next.isPiped = true
    next.names = names
    next.boundName = boundName
    self = next
  }

  /// Begins the next line, in which the name that the last one binds is visible.
  ///
  /// - Parameter continues: whether `else` can follow, which may be in a line of its own.
  mutating func takeLineEnd(continues: Bool = false) {
    if continues, phase == .nextLine || phase == .end && isCondition {
      phase = .nextLine
      return
    }
    var next = CompletionFrame(opening)
    next.names = names + (boundName.map { [LocalName(name: $0)] } ?? [])
    self = next
  }

  /// Counts an argument by position. Elements of lists and values of labels are not counted.
  private mutating func takeArgument(_ word: String = "") {
    group.append(word)
    if label == nil, isCommand { numberOfArguments += 1 }
  }

  /// Takes a word, which can be a source with an index path that touches it: `letters[5, 1]`.
  private mutating func takeArgument(_ word: String, _ commands: CommandTable) {
    let name = word.prefix { $0 != "[" }
    words.append(String(name))
    takeArgument(word)
    guard label == nil, name.count < word.count, let command = verb.flatMap({ commands[$0] }),
      command.parameter(at: numberOfArguments, after: words)?.type.isPlace == true
    else { return }
    takeArgument()
  }
}
