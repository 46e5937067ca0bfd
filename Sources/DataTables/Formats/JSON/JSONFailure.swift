/// The reason why a JSON text is malformed, usually the token that was expected.
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
    case .leadingZero: "expected no digit after a leading 0"
    case .word: "expected `true`, `false` or `null`"
    case .escape: "expected one of `\"`, `\\`, `/`, b, f, n, r, t, u after `\\`"
    case .hexadecimal: "expected four hexadecimal digits after `\\u`"
    case .control: "expected a closing quote"
    case .end: "expected the end of the document"
    case .lineEnd: "expected the end of the line after the value"
    case .encoding: "expected UTF-8"
    case .depth: "is nested too deep"
    }
  }

  /// The clause, followed by the character found instead; nil means the end of the text.
  func message(found scalar: Unicode.Scalar?) -> String {
    "\(expectation), found \(Self.phrase(for: scalar))"
  }

  /// A character as messages show it; nil means the end of the text.
  static func phrase(for scalar: Unicode.Scalar?) -> String {
    switch scalar {
    case nil: "the end of the text"
    case "\n", "\r": "the end of the line"
    case "\t": "a tab"
    case "`": "a backquote"
    case .some(let scalar) where scalar.value < 0x20 || scalar.value == 0x7F:
      "the control character \(scalar.value)"
    case .some(let scalar): "`\(scalar)`"
    }
  }

  /// This reason and the character at `offset`, which is nil at the end of the text. If the bytes
  /// at `offset` are not UTF-8, the returned reason is ``encoding``.
  func withCharacter(
    at offset: Int, in store: any ByteStore
  ) throws -> (reason: JSONFailure, found: Unicode.Scalar?) {
    // Read from the store, because a window may end within the character.
    let bytes = try store.bytes(offset..<max(offset, min(offset + 4, store.count)))
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    switch decoder.decode(&iterator) {
    case .scalarValue(let scalar): return (self, scalar)
    case .emptyInput: return (self, nil)
    case .error: return (.encoding, nil)
    }
  }
}

extension JSONCursor {
  /// Returns a malformed line as a rejected row. Throws an error for the whole text in other
  /// layouts, for bytes that are not UTF-8, and for a value that is nested too deep.
  mutating func rejectLine(_ reason: JSONFailure, at index: Int) throws -> Row? {
    let (reason, found) = try reason.withCharacter(at: base + index, in: store)
    guard layout == .lines, reason != .encoding, reason != .depth else {
      throw failure(reason, at: index)
    }
    let row = Row(
      offset: base + position,
      bytes: UnsafeRawBufferPointer(start: window + position, count: index - position),
      line: line,
      fault: Fault(column: index - position + 1, reason: reason, found: found))
    position = index
    skipsLine = true
    return row
  }

  /// The error for a malformed text, at `index` of the window.
  func failure(_ reason: JSONFailure, at index: Int) -> any Error {
    let offset = base + index
    guard includesStart && includesEnd || layout == .lines else {
      return TableError.changed("the rows changed since they were loaded")
    }
    do {
      let (reason, found) = try reason.withCharacter(at: offset, in: store)
      switch reason {
      case .encoding:
        return TableError.encoding(expected: "UTF-8", offset: offset, fitting: "latin1")
      case .depth:
        return DepthLimit(limits, supported: JSONScanner.maxDepth)
          .error(at: try textPosition(of: offset))
      default:
        return TableError.format(
          reason.message(found: found), at: try textPosition(of: offset))
      }
    } catch {
      return error
    }
  }

  func rowTooLong() -> any Error {
    do {
      return TableError.limit(
        "a row has more than \(rowLimit.counted("byte"))",
        setting: limits.rowSetting(for: store.count),
        at: try textPosition(of: base + position))
    } catch {
      return error
    }
  }

  private func textPosition(of offset: Int) throws -> TextPosition {
    if layout == .lines, start == 0 {
      return TextPosition(line: line, column: offset - lineStart + 1)
    }
    return try TextPosition(of: offset, in: store)
  }
}
