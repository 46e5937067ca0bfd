import CEdit
import DSInterpreter
import Glibc

// The functions of ``KeyFunction``. Each returns the action for libedit.
extension EditLineReader {
  /// Ends the entry, or begins its next line if brackets or quotes are open.
  func endEntry() -> UInt8 {
    guard let (text, _) = line else { return UInt8(CC_ERROR) }
    moveToEnd()
    el_insertstr(edit, "\n")
    return UInt8(Interpreter.isIncomplete(text) ? CC_REFRESH : CC_NEWLINE)
  }

  func insertNewLine() -> UInt8 {
    el_insertstr(edit, "\n")
    return UInt8(CC_REFRESH)
  }

  func clearScreen() -> UInt8 {
    display.clear()
    return UInt8(CC_REFRESH)
  }

  func undoChange() -> UInt8 {
    guard let state = undo.undo() else { return beep() }
    replaceLine(with: state.text, cursor: state.cursor)
    return UInt8(CC_REFRESH)
  }

  /// Handles Up and Down.
  func recall(_ step: (inout HistorySearch, String) -> String?) -> UInt8 {
    guard let line, let entry = step(&search, line.text) else { return beep() }
    replaceLine(with: entry, cursor: entry.utf8.count)
    return UInt8(CC_REFRESH)
  }

  /// - Returns: the action after a key that had no effect.
  func beep() -> UInt8 {
    display.beep()
    return UInt8(CC_REFRESH)
  }

  /// - Parameter cursor: a UTF-8 offset.
  func replaceLine(with text: String, cursor: Int) {
    // `el_replacestr` accepts no empty text.
    moveToEnd()
    el_deletestr(edit, Int32(clamping: line?.text.unicodeScalars.count ?? 0))
    if !text.isEmpty { el_insertstr(edit, text) }
    let after = String(decoding: text.utf8.dropFirst(cursor), as: UTF8.self)
    el_cursor(edit, -Int32(clamping: after.unicodeScalars.count))
  }

  private func moveToEnd() {
    guard let (text, cursor) = line else { return }
    let rest = String(decoding: text.utf8.dropFirst(cursor), as: UTF8.self)
    el_cursor(edit, Int32(clamping: rest.unicodeScalars.count))
  }
}

// Moves by whole characters, which may consist of several scalars; libedit moves by scalars.
extension EditLineReader {
  /// The scalars of the character before the cursor; nil at the start.
  private var lengthBefore: Int32? {
    guard let (text, cursor) = line else { return nil }
    let before = String(decoding: text.utf8.prefix(cursor), as: UTF8.self)
    return before.last.map { Int32($0.unicodeScalars.count) }
  }

  func moveBackward() -> UInt8 {
    guard let length = lengthBefore else { return beep() }
    el_cursor(edit, -length)
    return UInt8(CC_CURSOR)
  }

  func deleteBackward() -> UInt8 {
    guard let length = lengthBefore else { return beep() }
    el_deletestr(edit, length)
    return UInt8(CC_REFRESH)
  }
}

// Moves to the right, where the hint is.
extension EditLineReader {
  enum Distance { case character, word, line }

  /// Moves forward; at the end of the line, accepts the hint, or a word of it.
  func moveForward(by distance: Distance) -> UInt8 {
    guard let (text, cursor) = line else { return UInt8(CC_ERROR) }
    let rest = String(decoding: text.utf8.dropFirst(cursor), as: UTF8.self)
    if rest.isEmpty, let hint = shownEntry {
      el_insertstr(edit, distance == .word ? Self.firstWord(of: hint) : hint)
      return UInt8(CC_REFRESH)
    }
    let passed =
      switch distance {
      case .character: String(rest.prefix(1))
      case .word: Self.firstWord(of: rest)
      // In an entry of several lines, the line of the cursor.
      case .line: String(rest.prefix { $0 != "\n" })
      }
    el_cursor(edit, Int32(clamping: passed.unicodeScalars.count))
    return UInt8(CC_CURSOR)
  }

  /// The text up to the end of its first word.
  private static func firstWord(of text: String) -> String {
    let lead = text.prefix { !$0.isLetter && !$0.isNumber }
    return String(lead + text.dropFirst(lead.count).prefix { $0.isLetter || $0.isNumber })
  }
}

// The last argument of an earlier entry.
extension EditLineReader {
  struct InsertedArgument {
    /// The index of the entry in the history.
    let position: Int
    let argument: String
    /// The line after the insertion, and the cursor in it.
    let line: String
    let cursor: Int
  }

  /// Inserts the last argument of the newest entry; repeated, puts that of the entry before it in its
  /// place.
  func insertLastArgument() -> UInt8 {
    guard let (text, cursor) = line else { return UInt8(CC_ERROR) }
    let repeated = insertedArgument.flatMap { $0.line == text && $0.cursor == cursor ? $0 : nil }
    var position = repeated?.position ?? search.entries.count
    while position > 0 {
      position -= 1
      guard let argument = Interpreter.lastArgument(of: search.entries[position]),
        argument != repeated?.argument
      else { continue }
      if let repeated {
        el_deletestr(edit, Int32(clamping: repeated.argument.unicodeScalars.count))
      }
      el_insertstr(edit, argument)
      insertedArgument = line.map {
        InsertedArgument(
          position: position, argument: argument, line: $0.text, cursor: $0.cursor)
      }
      return UInt8(CC_REFRESH)
    }
    return beep()
  }
}

// Completion.
extension EditLineReader {
  /// Handles Tab: inserts the common prefix of all candidates; a second Tab lists them.
  func completeWord() -> UInt8 {
    guard let (text, cursor) = line else { return UInt8(CC_ERROR) }
    guard let completions = assistant?.completions(for: text, at: cursor) else {
      return UInt8(CC_ERROR)
    }
    let typed = Array(text.utf8.prefix(cursor).dropFirst(completions.start))
    let word = String(decoding: typed, as: UTF8.self)
    guard completions.start <= cursor, let first = completions.candidates.first else {
      return beep()
    }
    if completions.candidates.count == 1 {
      replace(word, with: first.endsWord ? first.text + " " : first.text)
      return UInt8(CC_REFRESH)
    }
    let common = CandidateList.commonPrefix(completions.candidates.map(\.text))
    if common != word && common.unicodeScalars.count >= word.unicodeScalars.count {
      replace(word, with: common)
      return UInt8(CC_REFRESH)
    }
    guard ambiguous == text else {
      ambiguous = text
      return beep()
    }
    ambiguous = nil
    display.write(below: CandidateList(completions.candidates, width: display.width).text)
    return UInt8(CC_REFRESH)
  }

  private func replace(_ word: String, with text: String) {
    el_deletestr(edit, Int32(clamping: word.unicodeScalars.count))
    el_insertstr(edit, text)
  }
}

// Pastes. The terminal sends a paste between two marks. The first mark is bound to `insertPaste`,
// which inserts the paste verbatim, so that its tabs do not complete and its line ends do not run.
extension EditLineReader {
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  func insertPaste() -> UInt8 {
    var searched = 0
    while true {
      if let end = input.position(of: Self.pasteEnd, from: searched) {
        insert(String(decoding: input.take(end), as: UTF8.self))
        _ = input.take(Self.pasteEnd.count)
        return UInt8(CC_REFRESH)
      }
      searched = max(0, input.bytes.count - Self.pasteEnd.count)
      if wait() != .bytes { return UInt8(CC_EOF) }
    }
  }

  private func insert(_ paste: String) {
    var scalars: [wchar_t] = []
    for scalar in paste.unicodeScalars {
      // Terminals send a carriage return for the end of a line.
      let value = scalar == "\r" ? 0x0A : scalar.value
      // A script ignores a byte order mark; here it would shift all positions.
      if value == 0xFEFF { continue }
      if value >= 0x20 && value != 0x7F || value == 0x0A || value == 0x09 {
        scalars.append(wchar_t(bitPattern: value))
      }
    }
    // A paste runs only when Return is pressed.
    while scalars.last == 0x0A { scalars.removeLast() }
    guard !scalars.isEmpty else { return }
    scalars.append(0)
    el_winsertstr(edit, scalars)
  }
}
