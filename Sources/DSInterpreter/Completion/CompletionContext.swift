import DataTables

/// The position of the cursor in an unfinished text: one line, or several ones.
struct CompletionContext {
  /// The open commands and brackets, outermost first; not empty.
  private(set) var frames = [CompletionFrame(.line)]
  private(set) var word: UnfinishedWord
  private let commands: CommandTable

  /// Returns nil where nothing can be completed: in a comment, behind a string, a label, a `;` or a
  /// bracket that ends at the cursor, behind a mistake in a string, and in brackets deeper than a
  /// script can have.
  ///
  /// - Parameter visit: receives each token before the cursor with its text, and the frame in which
  ///   it stands.
  init?(
    line: String, offset: Int, commands: CommandTable,
    visiting visit: (Token, String, CompletionFrame) -> Void = { _, _, _ in }
  ) {
    let script = ScriptText(line)
    let end = min(max(0, offset), script.bytes.count)
    var scanner = Scanner(Span(script, 0..<end))
    word = UnfinishedWord("", at: end)
    self.commands = commands
    var previous: Token?
    while true {
      scanner.openBrackets = openBrackets
      let gap = scanner.offset
      guard frames.count <= Parser.maxDepth else { return nil }
      if frame.phase == .recordKey, let (key, colon) = try? scanner.recordKey() {
        visit(Token(kind: .label, start: key.span.start, end: colon), key.text, frame)
        takeKey(key.text)
        scanner.offset = colon
        previous = nil
        continue
      }
      guard let token = try? scanner.next(frame.mode), let text = try? scanner.text(of: token)
      else {
        let start = scanner.skippingTrivia(from: gap, lineEnds: openBrackets > 0)
        switch UnfinishedString(at: start, in: scanner) {
        case nil: return nil
        case .word(let word)?:
          self.word = word
          return
        case .expression(let start)?:
          push(CompletionFrame(.insertion), readsKeys: false)
          frame.phase = .expression
          scanner.offset = start
          previous = nil
          continue
        }
      }
      visit(token, text, frame)
      switch token.kind {
      case .end:
        let trivia = script.bytes[gap..<end]
        let line = trivia.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard !trivia[(line ?? gap)...].contains(UInt8(ascii: "#")) else { return nil }
        return
      // A symbol of one character may be the beginning of a longer one.
      case .word where token.end == end,
        .symbol where token.end == end && token.end - token.start == 1:
        word = UnfinishedWord(text, at: token.start)
        return
      case .label where token.end == end, .quoted where token.end == end: return nil
      // `;` separates lines only before white space.
      case .separator where token.end == end && script.newlineLength(at: token.start) == 0:
        return nil
      case .punctuation(let byte) where token.end == end && ")]}".utf8.contains(byte): return nil
      default: break
      }
      take(token, text, after: previous, in: scanner)
      previous = token
    }
  }

  var frame: CompletionFrame {
    get { frames[frames.count - 1] }
    _modify { yield &frames[frames.count - 1] }
  }

  /// The words of the innermost command that has any.
  var words: [String] { frames.last { !$0.words.isEmpty }?.words ?? [] }

  /// The names of the blocks around the cursor, the innermost last.
  var localNames: [CompletionFrame.LocalName] { frames.flatMap(\.names) }

  /// The number of brackets that are open in the innermost block; a line end in brackets is white
  /// space.
  private var openBrackets: Int { frames.reversed().prefix { $0.isBracket }.count }

  private mutating func push(_ frame: CompletionFrame, readsKeys: Bool) {
    var frame = frame
    frame.readsKeys = readsKeys
    frames.append(frame)
  }
}

// Tokens.
extension CompletionContext {
  private mutating func take(
    _ token: Token, _ text: String, after previous: Token?, in scanner: Scanner
  ) {
    let isTouching = previous.map { $0.end == token.start } ?? false
    switch token.kind {
    case .word where isTouching && text.hasPrefix(".") && frame.isExpression:
      frame.expression.extendOperand(by: text)
    case .word: frame.take(text, commands)
    case .label: takeLabel(text)
    case .quoted: frame.takeValue()
    case .symbol(let symbol): frame.take(symbol)
    case .separator: takeSeparator(token, after: previous, in: scanner)
    case .punctuation(let byte): take(byte, touching: isTouching ? previous : nil, in: scanner)
    case .end: break
    }
  }

  private mutating func take(_ punctuation: UInt8, touching previous: Token?, in scanner: Scanner) {
    let text = previous.flatMap { $0.kind == .word ? try? scanner.text(of: $0) : nil }
    switch punctuation {
    case UInt8(ascii: "|"): if frame.isCommand { frame.takeBar() } else { frame.takeComma() }
    case UInt8(ascii: ","):
      if frame.phase == .arguments, frame.isPredicate { return }
      frame.takeComma()
    case UInt8(ascii: "("):
      if text != nil, frame.isExpression, frame.expression.expected != .operand {
        frame.expression.takeCall()
        push(CompletionFrame(.call), readsKeys: frame.readsKeys)
        frame.phase = .expression
      } else {
        push(CompletionFrame(.parenthesis), readsKeys: frame.readsKeys)
      }
    case UInt8(ascii: "["): openBracket(touching: previous, text)
    case UInt8(ascii: "{"): openBrace()
    case UInt8(ascii: ")"): close { [.parenthesis, .call].contains($0) }
    case UInt8(ascii: "]"):
      close { if case .index = $0 { true } else { $0 == .list || $0 == .options } }
    case UInt8(ascii: "}"): close { $0 == .record || $0 == .block }
    default: break
    }
  }

  private mutating func openBracket(touching previous: Token?, _ text: String?) {
    let isExpression = frame.isExpression
    let opening: CompletionFrame.Opening
    if isExpression, frame.expression.endsInOperator, previous != nil {
      opening = .options
    } else if isExpression, previous != nil, frame.expression.expected != .operand {
      opening = .index(of: frame.expression.comparison == nil ? frame.expression.left : nil)
    } else if !isExpression, let text {
      opening = .index(of: text)
    } else {
      opening = .list
    }
    push(CompletionFrame(opening), readsKeys: frame.readsKeys)
    frame.phase = isExpression && opening == .list ? .expression : .arguments
  }

  private mutating func openBrace() {
    if frame.opensBlock {
      let names = frame.blockNames
      push(CompletionFrame(.block), readsKeys: false)
      frame.names = names
    } else {
      let isExpression = frame.isExpression
      push(CompletionFrame(.record), readsKeys: frame.readsKeys)
      frame.phase = .recordKey
      // The values are expressions where the record is one.
      frame.form = isExpression ? .expression : nil
    }
  }

  /// Closes the innermost bracket or block for which `isOpening` is true, and those within it.
  private mutating func close(_ isOpening: (CompletionFrame.Opening) -> Bool) {
    guard let index = frames.lastIndex(where: { isOpening($0.opening) }), index > 0,
      !frames[(index + 1)...].contains(where: { $0.opening == .block || $0.opening == .insertion })
    else { return }
    let closed = frames[index]
    frames.removeSubrange(index...)
    switch closed.opening {
    case .block: frame.phase = .end
    case .parenthesis:
      // A command in parentheses is about the source that it names.
      frame.words += closed.words
      frame.takeValue()
    case .list, .record: frame.takeValue()
    case .index: frame.expression.extendOperand(by: "[0]")
    case .line, .insertion, .call, .options: break
    }
  }

  private mutating func takeLabel(_ name: String) {
    // A complete command follows `expect throws KIND:`.
    if frame.words.first == "throws", frame.form?.isCheck == true {
      let names = frame.names
      frame = CompletionFrame(frame.opening)
      frame.names = names
      return
    }
    guard frame.isCommand else { return }
    let type = frame.labels(in: commands).first { $0.name == name }?.type
    frame.takeLabel(name, isPredicate: type?.isPredicate ?? false)
  }

  private mutating func takeKey(_ name: String) {
    let isExpression = frame.form == .expression
    frame.takeLabel(name, isPredicate: false)
    frame.phase = isExpression ? .expression : .arguments
  }

  /// A line end after a comma or a bar does not end the line.
  private mutating func takeSeparator(
    _ token: Token, after previous: Token?, in scanner: Scanner
  ) {
    let isContinued = previous.map { $0.is(",") || $0.is("|") } ?? false
    let isLineEnd = scanner.script.newlineLength(at: token.start) > 0
    if isContinued, isLineEnd { return }
    let index = frames.lastIndex { !$0.isBracket || $0.opening == .insertion } ?? 0
    frames.removeSubrange((index + 1)...)
    frame.takeLineEnd(continues: isLineEnd)
  }
}

extension CompletionFrame {
  /// The labels that the verb accepts, by its declaration.
  func labels(in commands: CommandTable) -> [Label] {
    guard let command = verb.flatMap({ commands[$0] }) else { return [] }
    return form?.isCheck == true ? Self.labelsOfChecks : command.allLabels
  }

  /// The labels of `expect all SOURCE where: …` and `expect sorted SOURCE by: …`.
  private static let labelsOfChecks = [
    PredicateArgument.label, Label("by", .sortDescriptors, example: "name"),
  ]
}

extension ArgumentType {
  fileprivate var isPredicate: Bool { if case .predicate = self { true } else { false } }
}
