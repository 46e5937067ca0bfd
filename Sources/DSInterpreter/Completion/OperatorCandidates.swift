import DataTables

/// The operators and other words of expressions, in the case in which they are being typed.
struct OperatorCandidates {
  private let isLowercase: Bool
  private let isAnyTyped: Bool

  /// - Parameter word: the part of the word that has been typed.
  init(word: String) {
    isLowercase = word.first?.isLowercase ?? false
    isAnyTyped = !word.isEmpty
  }

  /// The words that can begin an operand and are not keys. They are many, so they follow a first
  /// letter.
  var beforeOperands: [CompletionCandidate] {
    guard isAnyTyped else { return [] }
    let words = ComparisonOperator.Quantifier.allCases.map { $0.rawValue.uppercased() } + ["NOT"]
    return words.map(cased)
      + CompletionCandidate.words(["SELF", "TRUEPREDICATE", "FALSEPREDICATE", "YES", "NO"])
      + CallWord.names.map { .word($0 + "(", endsWord: false) }
  }

  /// The operators that compare values of some types.
  ///
  /// - Parameters:
  ///   - types: empty if the types are not known.
  ///   - isNegated: whether `not` precedes the operator.
  func comparing(_ types: Set<ValueType>, isNegated: Bool) -> [CompletionCandidate] {
    let kinds = ComparisonOperator.Kind.allCases.filter { kind in
      (types.isEmpty || types.contains { kind.compares($0) })
        && (!isNegated || kind.rawValue.first?.isLetter == true)
    }
    var candidates = kinds.map { cased($0.rawValue) }
    if types.isEmpty || types.contains(.string) {
      candidates += kinds.filter(\.isAboutStrings).map { cased($0.rawValue + "[c]") }
    }
    return candidates + (isNegated ? [] : [cased("NOT")])
  }

  var connectives: [CompletionCandidate] { ["AND", "OR"].map(cased) }

  private func cased(_ word: String) -> CompletionCandidate {
    .word(isLowercase ? word.lowercased() : word)
  }
}

extension ComparisonOperator.Kind {
  /// Whether the operator compares the characters of strings.
  fileprivate var isAboutStrings: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .matches: true
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between: false
    }
  }

  /// Whether the operator is useful for values of a type on its left.
  fileprivate func compares(_ type: ValueType) -> Bool {
    switch self {
    case .equal, .notEqual: true
    case .in: type != .array && type != .record
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      type == .number || type == .string || type == .date
    case .contains: type == .string || type == .array
    case .beginsWith, .endsWith, .like, .matches: type == .string
    }
  }
}
