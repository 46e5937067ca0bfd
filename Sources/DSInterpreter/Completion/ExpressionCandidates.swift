import DataTables

/// The words that continue an expression.
struct ExpressionCandidates {
  let frame: CompletionFrame
  let word: UnfinishedWord
  /// The source whose keys a predicate reads.
  let subject: CompletionSubject
  let names: NameCandidates

  var candidates: [CompletionCandidate] {
    let operators = OperatorCandidates(word: word.text)
    switch frame.expression.expected {
    case .operand:
      let isLeftSide = frame.readsKeys && frame.expression.comparison == nil
      return operands + (isLeftSide ? operators.beforeOperands : [])
    case .comparison where word.text.hasPrefix("."): return steps
    case .comparison:
      return operators.comparing(leftTypes, isNegated: frame.expression.isNegated)
        + (isComplete ? operators.connectives : []) + openingOfBlock
    case .connective: return operators.connectives + openingOfBlock
    }
  }

  /// Whether the expression may end before the cursor as a condition.
  var isComplete: Bool {
    switch frame.expression.expected {
    case .operand: false
    // A value is a condition if it can be true or false.
    case .comparison: leftTypes.isEmpty || leftTypes.contains(.bool)
    case .connective: true
    }
  }

  /// `{`, where it begins the block of the command.
  var openingOfBlock: [CompletionCandidate] { frame.opensBlock ? [.word("{")] : [] }

  private var keys: KeyCandidates { KeyCandidates(subject: subject) }

  private var operands: [CompletionCandidate] {
    guard frame.readsKeys else { return names.candidates(for: word.text) }
    guard let kind = frame.expression.comparison else { return keys.operands(for: word.text) }
    let values = ValueCandidates(subject: subject, word: word)
    let hasBraces = kind == .in || kind == .between
    return values.candidates(ofPath: frame.expression.left, inExpression: true)
      + (hasBraces ? [.word("{", endsWord: false)] : [])
      // A value can be compared with another one of the same object.
      + (word.isEmpty ? [] : keys.operands(for: word.text))
  }

  /// Keys after an index, to which the path before the dot belongs: `tags[0].le`.
  private var steps: [CompletionCandidate] {
    guard let path = frame.expression.left.map({ $0 + word.text }) else { return [] }
    let found = frame.readsKeys ? keys.candidates(for: path) : names.paths(for: path)
    let lead = TypedPath(path)?.lead.count ?? 0
    return found.map { .word("." + $0.text.dropFirst(lead)) }
  }

  /// The types of the values on the left of the operator that follows; empty if they are not known.
  private var leftTypes: Set<ValueType> {
    guard frame.readsKeys, let left = frame.expression.left,
      let path = try? ObjectKeyPath(parsing: left)
    else { return [] }
    return subject.types(of: path)
  }
}
