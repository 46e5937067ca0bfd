/// The position of the cursor in an unfinished line.
struct CompletionContext {
  /// An unfinished command: the line, or the text after an open parenthesis.
  struct Frame {
    var verb: String?
    /// The bare words of the pipe before the cursor, except verbs.
    var words: [String] = []
    /// The number of arguments by position before the cursor, including the value that `|` passes.
    var numberOfArguments = 0
    /// The label whose value is being typed.
    var label: String?
    /// Whether a value of the label precedes the cursor.
    var hasLabelValue = false
    /// Whether a verb can follow.
    var isAtHead = true
    /// The number of open brackets and braces.
    var bracketDepth = 0
  }

  private(set) var frames = [Frame()]
  /// The part of the word at the cursor that has been typed before the cursor.
  private(set) var prefix = ""
  /// The UTF-8 offset of the first byte of ``prefix``.
  private(set) var start: Int

  /// Returns nil inside a quoted string or a comment, and directly after the colon of a label.
  init?(line: String, offset: Int, commands: CommandTable) {
    let script = ScriptText(line)
    let end = min(max(0, offset), script.bytes.count)
    var scanner = Scanner(Span(script, 0..<end))
    start = end
    var previous: Token?
    while true {
      guard let token = try? scanner.next(.arguments), let text = try? scanner.text(of: token)
      else { return nil }
      if token.kind == .end { break }
      if token.end == end, token.kind == .word {
        (prefix, start) = (text, token.start)
        break
      }
      if token.end == end, token.kind == .label { return nil }
      let isBound = previous.map { $0.isWord("let", in: scanner.script) } ?? false
      take(token.kind, text, isBound: isBound, commands)
      previous = token
    }
    let rest = script.bytes[(previous == nil ? 0 : start)..<end]
    if prefix.isEmpty, rest.contains(UInt8(ascii: "#")) { return nil }
  }

  var frame: Frame { frames.last ?? Frame() }

  /// - Parameter isBound: whether `let` precedes the word.
  private mutating func take(
    _ kind: Token.Kind, _ word: String, isBound: Bool, _ commands: CommandTable
  ) {
    var frame = self.frame
    switch kind {
    case .word: frame.take(word, isBound: isBound, commands)
    case .label where frame.bracketDepth > 0: break
    case .label:
      // A complete command follows `expect throws KIND:`.
      if frame.words.first == "throws" { frame = Frame() } else { frame.label = word }
      frame.hasLabelValue = false
    case .punctuation(UInt8(ascii: "|")):
      frame = Frame(words: frame.words, numberOfArguments: 1)
    case .punctuation(UInt8(ascii: "(")):
      frames.append(Frame())
      return
    case .punctuation(UInt8(ascii: ")")):
      if frames.count > 1 {
        frames.removeLast()
        frames[frames.count - 1].takeArgument()
      }
      return
    case .punctuation(UInt8(ascii: "[")), .punctuation(UInt8(ascii: "{")):
      frame.bracketDepth += 1
    case .punctuation(UInt8(ascii: "]")), .punctuation(UInt8(ascii: "}")):
      frame.bracketDepth = max(0, frame.bracketDepth - 1)
      frame.takeArgument()
    case .separator:
      frames = [Frame()]
      return
    case .quoted: frame.takeArgument()
    default: frame.isAtHead = false
    }
    frames[frames.count - 1] = frame
  }
}

extension CompletionContext.Frame {
  fileprivate mutating func take(_ word: String, isBound: Bool, _ commands: CommandTable) {
    if isAtHead, word == "let" || word == "=" || isBound { return }
    if isAtHead, commands[word] != nil || commands.signature(named: word) != nil {
      verb = word
      isAtHead = false
    } else {
      words.append(word)
      takeArgument()
    }
  }

  /// Counts an argument by position. Elements of lists and values of labels are not counted.
  fileprivate mutating func takeArgument() {
    isAtHead = false
    if label != nil { hasLabelValue = true }
    if label == nil, bracketDepth == 0 { numberOfArguments += 1 }
  }
}
