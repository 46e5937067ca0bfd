/// What a JSON text has in place of what it should have.
enum JSONFailure: Equatable {
  case value, key, keyOrEnd, colon, commaOrBrace, commaOrBracket
  case digit, leadingZero, word, escape, hexadecimal, control
  case end, lineEnd
  case encoding, depth

  /// One clause: `expected a value`.
  var expectation: String {
    switch self {
    case .value: "expected a value"
    case .key: "expected a key in quotes"
    case .keyOrEnd: "expected a key in quotes or `}`"
    case .colon: "expected `:` after a key"
    case .commaOrBrace: "expected `,` or `}`"
    case .commaOrBracket: "expected `,` or `]`"
    case .digit: "expected a digit"
    case .leadingZero: "expected no more digits after a leading 0"
    case .word: "expected `true`, `false` or `null`"
    case .escape: "expected one of `\"`, `\\`, `/`, b, f, n, r, t, u after `\\`"
    case .hexadecimal: "expected four hexadecimal digits after `\\u`"
    case .control: "expected a string to go on to its closing quote"
    case .end: "expected the end of the document"
    case .lineEnd: "expected the end of the line after the value"
    case .encoding: "expected UTF-8"
    case .depth: "is nested too deep"
    }
  }

  /// The clause with what is there instead; nil is the end of the text.
  func message(found scalar: Unicode.Scalar?) -> String {
    let found =
      switch scalar {
      case nil: "the end of the text"
      case "\n", "\r": "the end of the line"
      case "\t": "a tab"
      case "`": "a backquote"
      case .some(let scalar) where scalar.value < 0x20 || scalar.value == 0x7F:
        "the control character \(scalar.value)"
      case .some(let scalar): "`\(scalar)`"
      }
    return "\(expectation), found \(found)"
  }
}
