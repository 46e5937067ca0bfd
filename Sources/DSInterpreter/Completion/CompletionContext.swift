/// What the word before the cursor is a part of.
struct CompletionContext {
  /// A command that is open where the cursor stands.
  struct Frame {
    var verb: String?
    var words: [String] = []
    /// The label whose value is being typed.
    var label: String?
    /// Whether a verb can stand next.
    var isAtHead = true
  }
  private(set) var frames = [Frame()]
  /// What is typed of the word.
  private(set) var prefix = ""
  /// Where it starts, a UTF-8 offset.
  private(set) var start: Int

  /// nil inside a quoted string or a comment.
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

  /// - Parameter isBound: whether `let` stands before it.
  private mutating func take(
    _ kind: Token.Kind, _ word: String, isBound: Bool, _ commands: CommandTable
  ) {
    var frame = self.frame
    switch kind {
    case .word:
      if frame.isAtHead, word == "let" || isBound {
        break
      } else if frame.isAtHead, word == "=" {
        frame.isAtHead = true
      } else if frame.isAtHead, commands[word] != nil {
        frame.verb = word
        frame.isAtHead = false
      } else {
        frame.words.append(word)
        frame.isAtHead = false
      }
    case .label:
      // What `expect throws KIND:` is followed by is a line of its own.
      if frame.words.first == "throws" { frame = Frame() } else { frame.label = word }
    case .punctuation(UInt8(ascii: "|")):
      frame = Frame(words: frame.words)
    case .punctuation(UInt8(ascii: "(")): frames.append(Frame())
    case .punctuation(UInt8(ascii: ")")):
      if frames.count > 1 { frames.removeLast() }
      return
    case .separator: frames = [Frame()]
    default: frame.isAtHead = false
    }
    if kind != .punctuation(UInt8(ascii: "(")), kind != .separator {
      frames[frames.count - 1] = frame
    }
  }
}
