import CEdit
import DSInterpreter
import DSRendering
import Glibc

/// A line reader that edits with libedit: history, completion, search, and the user's `~/.editrc`.
final class EditLineReader: LineReader {
  private let edit: OpaquePointer
  private let input = TerminalInput()
  private let entries: OpaquePointer
  private var search: HistorySearch
  private let stream: UnsafeMutablePointer<FILE>
  private var prompt: UnsafeMutablePointer<CChar>?
  private var shownPrompt = ""
  /// Set while a line is read.
  private var assistant: (any LineAssistant)?
  /// Whether the prompt and the line are erased.
  private var isHidden = false
  /// The line in which Tab found several candidates without a longer common prefix. The next Tab in
  /// this line lists them.
  private var ambiguous: String?
  private var marksPastes = true
  /// Set when Ctrl-C ends the line: whether the line was empty.
  private var interruption: Bool?

  /// - Returns: nil if libedit cannot use this terminal.
  init?(history: [String]) {
    Self.setLocale()
    let stream = isatty(STDOUT_FILENO) == 1 ? ds_stdout() : ds_stderr()
    guard let stream, let edit = el_init("dsshell", ds_stdin(), stream, ds_stderr()),
      let entries = history_init()
    else { return nil }
    self.edit = edit
    self.entries = entries
    self.stream = stream
    search = HistorySearch(history)
    _ = ds_history_set_size(entries, 10_000)
    _ = ds_history_set_unique(entries, 1)
    for entry in history { _ = ds_history_enter(entries, entry) }
    configure()
  }

  deinit {
    el_end(edit)
    history_end(entries)
    free(prompt)
  }

  /// Sets a UTF-8 locale. With another encoding, libedit crashes on a prompt that the encoding
  /// cannot represent, and rejects such input.
  private static func setLocale() {
    setlocale(LC_CTYPE, "")
    if let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) == "UTF-8" { return }
    setlocale(LC_CTYPE, "C.UTF-8")
  }

  private func configure() {
    _ = ds_el_set_client(edit, Unmanaged.passUnretained(self).toOpaque())
    _ = ds_el_set_prompt(edit) { EditLineReader.reader(of: $0)?.prompt }
    _ = ds_el_set_getc(edit) { edit, character in
      guard let reader = EditLineReader.reader(of: edit), let character else { return -1 }
      return reader.nextCharacter(character)
    }
    _ = ds_el_set_editor(edit, "emacs")
    _ = ds_el_set_int(edit, EL_SIGNAL, 0)
    _ = ds_el_set_history(edit, entries)
    _ = ds_el_add_function(edit, "ds-complete", "Complete the word") { edit, _ in
      EditLineReader.reader(of: edit)?.completeWord() ?? UInt8(CC_ERROR)
    }
    _ = ds_el_add_function(edit, "ds-paste", "Insert the pasted text") { edit, _ in
      EditLineReader.reader(of: edit)?.pasteText() ?? UInt8(CC_ERROR)
    }
    _ = ds_el_add_function(edit, "ds-previous", "Previous matching entry") { edit, _ in
      EditLineReader.reader(of: edit)?.recall { $0.previous(from: $1) } ?? UInt8(CC_ERROR)
    }
    _ = ds_el_add_function(edit, "ds-next", "Next matching entry") { edit, _ in
      EditLineReader.reader(of: edit)?.recall { $0.next(from: $1) } ?? UInt8(CC_ERROR)
    }
    let tab = ("\t", "ds-complete")
    let binds = [
      tab, (Self.pasteStart, "ds-paste"),
      ("^R", "em-inc-search-prev"),
      ("\u{1B}[A", "ds-previous"), ("\u{1B}OA", "ds-previous"),
      ("\u{1B}[B", "ds-next"), ("\u{1B}OB", "ds-next"),
    ]
    for (key, function) in binds { _ = ds_el_bind(edit, key, function) }
    // The user's settings are read last and override these. A change to vi mode removes all bindings.
    // The binding for pastes is not restored: libedit would wait for more keys after Escape.
    el_source(edit, nil)
    if let editor = ds_el_editor(edit), strcmp(editor, "vi") == 0 {
      _ = ds_el_bind(edit, tab.0, tab.1)
      marksPastes = false
    }
  }

  private static func reader(of edit: OpaquePointer?) -> EditLineReader? {
    guard let client = ds_el_client(edit) else { return nil }
    return Unmanaged<EditLineReader>.fromOpaque(client).takeUnretainedValue()
  }

  func readLine(prompt: String, asking assistant: any LineAssistant) -> TypedLine {
    free(self.prompt)
    self.prompt = strdup(prompt)
    shownPrompt = prompt
    self.assistant = assistant
    defer { self.assistant = nil }
    ambiguous = nil
    interruption = nil
    input.takeTypedAhead()
    el_resize(edit)
    if marksPastes { write(Self.pasteOn) }
    defer { if marksPastes { write(Self.pasteOff) } }
    // By itself, libedit would prepare the terminal at the first key, when the prompt is already
    // visible: keys typed until then would be echoed twice.
    _ = ds_el_set_int(edit, EL_PREP_TERM, 1)
    var count: Int32 = 0
    if let text = el_gets(edit, &count), count > 0 {
      let line = String(cString: text)
      return .text(line.last == "\n" ? String(line.dropLast()) : line)
    }
    guard let isEmpty = interruption else {
      write("\n")
      return .end
    }
    write("^C\n")
    el_reset(edit)
    input.discard()
    return .interrupted(isEmpty: isEmpty)
  }

  func remember(_ entry: String) {
    _ = ds_history_enter(entries, entry)
    search.entries.append(entry)
  }

  /// Handles Up and Down.
  /// - Returns: the action for libedit.
  private func recall(_ step: (inout HistorySearch, String) -> String?) -> UInt8 {
    guard let line, let entry = step(&search, line.text) else { return UInt8(CC_REFRESH_BEEP) }
    el_replacestr(edit, entry)
    return UInt8(CC_REFRESH)
  }

  /// Writes to the stream of libedit, so that its output and this text keep their order.
  private func write(_ text: String) {
    fputs(text, stream)
    fflush(stream)
  }

  /// The line so far, and the UTF-8 offset of the cursor.
  private var line: (text: String, cursor: Int)? {
    guard let info = el_line(edit)?.pointee, let buffer = info.buffer, let cursor = info.cursor,
      let end = info.lastchar
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: buffer, count: end - buffer)
    return (String(decoding: bytes, as: UTF8.self), cursor - buffer)
  }

  /// Handles a signal that arrives while a line is typed.
  /// - Returns: whether the line continues.
  private func receive(_ signal: Int32) -> Bool {
    switch signal {
    case SIGINT:
      interruption = line?.text.isEmpty ?? true
      return false
    case SIGWINCH: el_resize(edit)
    case SIGCONT:
      // The shell that was in the foreground has left the terminal in its own mode.
      _ = ds_el_set_int(edit, EL_PREP_TERM, 1)
      if marksPastes { write(Self.pasteOn) }
      _ = ds_el_refresh(edit)
    default: break
    }
    return true
  }
}

// Changes that are shown while a line is typed.
extension EditLineReader {
  private func receiveChange() {
    assistant?.handleChange()
    guard isHidden else { return }
    isHidden = false
    _ = ds_el_refresh(edit)
  }

  func hideLine() {
    guard !isHidden else { return }
    isHidden = true
    let width = max(1, Terminal(STDOUT_FILENO, allowsColor: false).width ?? 80)
    let typed = line.map { String(decoding: $0.text.utf8.prefix($0.cursor), as: UTF8.self) } ?? ""
    let rows = (shownPrompt + typed).displayWidth / width
    write("\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J")
  }
}

// Completion.
extension EditLineReader {
  /// Handles Tab: inserts the common prefix of all candidates; a second Tab lists them.
  /// - Returns: the action for libedit.
  private func completeWord() -> UInt8 {
    guard let (text, cursor) = line else { return UInt8(CC_ERROR) }
    guard let completions = assistant?.completions(for: text, at: cursor) else {
      return UInt8(CC_ERROR)
    }
    let typed = Array(text.utf8.prefix(cursor).dropFirst(completions.start))
    let word = String(decoding: typed, as: UTF8.self)
    guard completions.start <= cursor, let first = completions.candidates.first else {
      return UInt8(CC_REFRESH_BEEP)
    }
    if completions.candidates.count == 1 {
      replace(word, with: first.last == "." || first.last == "/" ? first : first + " ")
      return UInt8(CC_REFRESH)
    }
    let common = CandidateList.commonPrefix(completions.candidates)
    if common != word && common.unicodeScalars.count >= word.unicodeScalars.count {
      replace(word, with: common)
      return UInt8(CC_REFRESH)
    }
    guard ambiguous == text else {
      ambiguous = text
      return UInt8(CC_REFRESH_BEEP)
    }
    ambiguous = nil
    let width = Terminal(STDOUT_FILENO, allowsColor: false).width ?? 80
    write("\n" + CandidateList(completions.candidates, width: width).text)
    return UInt8(CC_REDISPLAY)
  }

  private func replace(_ word: String, with text: String) {
    el_deletestr(edit, Int32(clamping: word.unicodeScalars.count))
    el_insertstr(edit, text)
  }
}

// Keys and pastes.
extension EditLineReader {
  /// Reads the next character for libedit.
  /// - Returns: 1; 0 at the end of input; -1 with `errno` set after Ctrl-C.
  private func nextCharacter(_ character: UnsafeMutablePointer<wchar_t>) -> Int32 {
    while true {
      if let scalar = input.takeScalar() {
        character.pointee = wchar_t(scalar.value)
        return 1
      }
      switch input.wait(observing: assistant?.observedChanges ?? ObservedChanges()) {
      case .bytes: continue
      case .change: receiveChange()
      case .end: return 0
      case .signal(let signal):
        if receive(signal) { continue }
        errno = EINTR
        return -1
      }
    }
  }

  // The terminal sends a paste between two marks. The first mark is bound to `pasteText`, which
  // inserts the paste verbatim, so that its tabs do not complete and its line ends do not run.
  private static let pasteOn = "\u{1B}[?2004h"
  private static let pasteOff = "\u{1B}[?2004l"
  private static let pasteStart = "\u{1B}[200~"
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// - Returns: the action for libedit.
  private func pasteText() -> UInt8 {
    while true {
      if let end = input.bytes.indices.first(where: {
        input.bytes[$0...].starts(with: Self.pasteEnd)
      }) {
        let paste = String(decoding: input.bytes[..<end], as: UTF8.self)
        input.bytes = input.bytes[(end + Self.pasteEnd.count)...]
        insert(paste)
        return UInt8(CC_REFRESH)
      }
      switch input.wait() {
      case .bytes, .change: continue
      case .end: return UInt8(CC_EOF)
      case .signal(let signal): if !receive(signal) { return UInt8(CC_EOF) }
      }
    }
  }

  private func insert(_ paste: String) {
    var scalars: [wchar_t] = []
    for scalar in paste.unicodeScalars {
      // Terminals send a carriage return for the end of a line.
      let value = scalar == "\r" ? 0x0A : scalar.value
      if value >= 0x20 && value != 0x7F || value == 0x0A || value == 0x09 {
        scalars.append(wchar_t(value))
      }
    }
    // A paste runs only when Return is pressed.
    while scalars.last == 0x0A { scalars.removeLast() }
    guard !scalars.isEmpty else { return }
    scalars.append(0)
    el_winsertstr(edit, scalars)
  }
}
