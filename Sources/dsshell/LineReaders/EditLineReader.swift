import CEdit
import DSInterpreter
import DSRendering
import Glibc

/// A line reader that edits with libedit: its keys, its modes, and the user's `~/.editrc`.
///
/// libedit edits the line; ``LineDisplay`` draws it. An entry may have several lines.
final class EditLineReader: LineReader {
  let edit: OpaquePointer
  let input = TerminalInput()
  let display: LineDisplay
  /// The entries for Up and Down, for searches, and for the last argument.
  var search: HistorySearch
  /// The states of the line since it began to be read.
  var undo = UndoHistory()
  /// Set while a line is read.
  private(set) var assistant: (any LineAssistant)?
  /// The line in which Tab found several candidates without a longer common prefix. The next Tab in
  /// this line lists them.
  var ambiguous: String?
  /// The last argument that was inserted last, and the line with it.
  var insertedArgument: InsertedArgument?
  private let entries: OpaquePointer
  /// The stream into which libedit draws.
  private let sink: UnsafeMutablePointer<FILE>
  private let terminal: Terminal
  /// Whether the line has colors and hints.
  private let isDecorated: Bool
  private var prompt = LinePrompt.first
  private var marksPastes = true
  /// Set when Ctrl-C ends the line: whether the line was empty.
  private var interruption: Bool?

  /// - Parameter isPlain: whether the line has no colors and no hints.
  /// - Returns: nil if libedit cannot use this terminal.
  init?(history: [String], isPlain: Bool) {
    Self.setLocale()
    let terminal = Terminal(
      isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO, allowsColor: !isPlain)
    guard let sink = fopen("/dev/null", "we") else { return nil }
    guard
      let edit = el_init_fd(
        "dsshell", ds_stdin(), sink, ds_stderr(), STDIN_FILENO, terminal.descriptor, STDERR_FILENO),
      let entries = history_init()
    else {
      fclose(sink)
      return nil
    }
    self.edit = edit
    self.entries = entries
    self.sink = sink
    self.terminal = terminal
    isDecorated = terminal.allowsColor
    display = LineDisplay(terminal)
    search = HistorySearch(history)
    _ = ds_history_set_size(entries, 10_000)
    _ = ds_history_set_unique(entries, 1)
    for entry in history { _ = ds_history_enter(entries, entry) }
    configure()
  }

  deinit {
    el_end(edit)
    history_end(entries)
    fclose(sink)
  }

  /// Sets a UTF-8 locale. With another encoding, libedit rejects text that the encoding cannot
  /// represent.
  private static func setLocale() {
    setlocale(LC_CTYPE, "")
    if let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) == "UTF-8" { return }
    setlocale(LC_CTYPE, "C.UTF-8")
  }

  private func configure() {
    _ = ds_el_set_client(edit, Unmanaged.passUnretained(self).toOpaque())
    _ = ds_el_set_getc(edit) { edit, character in
      guard let reader = EditLineReader.reader(of: edit), let character else { return -1 }
      return reader.nextCharacter(character)
    }
    _ = ds_el_set_editor(edit, "emacs")
    _ = ds_el_set_int(edit, EL_SIGNAL, 0)
    _ = ds_el_set_history(edit, entries)
    // Ctrl-S searches; by itself, the terminal would stop its output.
    _ = ds_el_set_mode(edit, "-d", "-ixon")
    for function in KeyFunction.all {
      _ = ds_el_add_function(edit, function.name, function.summary, function.run)
    }
    KeyFunction.bind(edit, withEscape: true)
    // The user's settings are read last and override these. A change to vi mode removes all bindings.
    // Those that begin with Escape are not restored: libedit would wait for more keys after Escape.
    el_source(edit, nil)
    if let editor = ds_el_editor(edit), strcmp(editor, "vi") == 0 {
      KeyFunction.bind(edit, withEscape: false)
      marksPastes = false
    }
  }

  static func reader(of edit: OpaquePointer?) -> EditLineReader? {
    guard let client = ds_el_client(edit) else { return nil }
    return Unmanaged<EditLineReader>.fromOpaque(client).takeUnretainedValue()
  }

  func readLine(prompt: LinePrompt, asking assistant: any LineAssistant) -> TypedLine {
    self.prompt = prompt
    self.assistant = assistant
    defer { self.assistant = nil }
    ambiguous = nil
    insertedArgument = nil
    interruption = nil
    undo = UndoHistory()
    // By itself, libedit would prepare the terminal at the first key, when the prompt is already
    // visible: keys typed until then would be echoed twice.
    input.takeTypedAhead { _ = ds_el_set_int(edit, EL_PREP_TERM, 1) }
    if marksPastes { terminal.write(Self.pasteOn) }
    defer { if marksPastes { terminal.write(Self.pasteOff) } }
    var count: Int32 = 0
    let typed = Interrupts.whileHandling([SIGTSTP]) { el_gets(edit, &count) }
    if let typed, count > 0 {
      // After the line, the buffer may hold parts of earlier ones.
      let bytes = UnsafeRawBufferPointer(start: typed, count: Int(count))
      var text = String(decoding: bytes, as: UTF8.self)
      if text.last == "\n" { text.removeLast() }
      display.finish(content(text, cursor: text.utf8.count, hasHint: false))
      return .text(text)
    }
    guard let isEmpty = interruption else {
      display.finish(content("", cursor: 0, hasHint: false))
      return .end
    }
    let text = (line?.text ?? "") + "^C"
    display.finish(content(text, cursor: text.utf8.count, hasHint: false))
    el_reset(edit)
    input.discard()
    return .interrupted(isEmpty: isEmpty)
  }

  func remember(_ entry: String) {
    _ = ds_history_enter(entries, entry)
    search.entries.append(entry)
  }

  func hideLine() { display.erase() }

  /// The line so far, and the UTF-8 offset of the cursor.
  var line: (text: String, cursor: Int)? {
    guard let info = el_line(edit)?.pointee, let buffer = info.buffer, let cursor = info.cursor,
      let end = info.lastchar
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: buffer, count: end - buffer)
    return (String(decoding: bytes, as: UTF8.self), cursor - buffer)
  }

  /// The rest of an earlier entry that is shown after the line; nil without one.
  var shownEntry: String? {
    guard isDecorated, let (text, cursor) = line,
      case .entry(let rest)? = assistant?.decoration(of: text, cursor: cursor).hint
    else { return nil }
    return rest
  }
}

// Drawing.
extension EditLineReader {
  private func content(_ text: String, cursor: Int, hasHint: Bool) -> LineContent {
    var content = LineContent(
      prompt: prompt.rawValue, nextPrompt: LinePrompt.next.rawValue, text: text, cursor: cursor)
    guard isDecorated, let decoration = assistant?.decoration(of: text, cursor: cursor) else {
      return content
    }
    content.parts = decoration.parts.map {
      LineContent.StyledPart(range: $0.range, style: $0.role.style)
    }
    if hasHint, let hint = decoration.hint?.text {
      content.hint = hint.split(separator: "\n").joined(separator: " ")
    }
    return content
  }

  /// Shows the line as it is now.
  private func refresh() {
    guard let (text, cursor) = line else { return }
    guard !display.shows(prompt, text: text, cursor: cursor) else { return }
    undo.record(UndoHistory.State(text: text, cursor: cursor))
    if ambiguous != text { ambiguous = nil }
    display.draw(content(text, cursor: cursor, hasHint: true))
  }
}

extension EntryDecoration.Role {
  /// The sequence that turns the style of the role on.
  fileprivate var style: String {
    switch self {
    case .verb: "\u{1B}[1m"
    case .label: "\u{1B}[36m"
    case .string: "\u{1B}[32m"
    case .comment: "\u{1B}[2m"
    case .unknown, .unmatchedBracket: "\u{1B}[31m"
    case .matchedBracket: "\u{1B}[1;4m"
    }
  }
}

// Keys and signals.
extension EditLineReader {
  /// Reads the next character for libedit.
  /// - Returns: 1; 0 at the end of input; -1 with `errno` set after Ctrl-C.
  private func nextCharacter(_ character: UnsafeMutablePointer<wchar_t>) -> Int32 {
    switch nextScalar(showing: refresh) {
    case .scalar(let scalar):
      character.pointee = wchar_t(bitPattern: scalar.value)
      return 1
    case .end: return 0
    case .interrupted:
      errno = EINTR
      return -1
    }
  }

  enum Key {
    case scalar(Unicode.Scalar)
    case end
    /// After Ctrl-C.
    case interrupted
  }

  /// Waits for the next scalar.
  /// - Parameter show: called before each wait, to show what was typed until then.
  func nextScalar(showing show: () -> Void) -> Key {
    while true {
      if let scalar = input.takeScalar() { return .scalar(scalar) }
      show()
      switch wait() {
      case .bytes: continue
      case .end: return .end
      case .interrupted: return .interrupted
      }
    }
  }

  enum Wait { case bytes, end, interrupted }

  /// Waits for more bytes, and handles changes and signals meanwhile.
  func wait() -> Wait {
    switch input.wait(observing: assistant?.observedChanges ?? ObservedChanges()) {
    case .bytes: return .bytes
    case .change:
      assistant?.handleChange()
      return .bytes
    case .end: return .end
    case .signal(SIGINT):
      interruption = line?.text.isEmpty ?? true
      return .interrupted
    // libedit must not know: `el_resize` leaves its cursor where it was, and the next key writes
    // beyond the rows of a narrower screen.
    case .signal(SIGWINCH): display.resize()
    case .signal(SIGTSTP):
      // Leaves the terminal to the command shell as it was.
      display.write(below: marksPastes ? Self.pasteOff : "")
      _ = ds_el_set_int(edit, EL_PREP_TERM, 0)
      Interrupts.stop()
      input.discard(SIGCONT)
      returnToTerminal()
    case .signal(SIGCONT): returnToTerminal()
    case .signal: break
    }
    return .bytes
  }

  /// Continues after a stop. The command shell has left the terminal in its own mode.
  private func returnToTerminal() {
    _ = ds_el_set_int(edit, EL_PREP_TERM, 1)
    if marksPastes { terminal.write(Self.pasteOn) }
    display.forget()
  }
}

// The marks that the terminal sends around a paste.
extension EditLineReader {
  private static let pasteOn = "\u{1B}[?2004h"
  private static let pasteOff = "\u{1B}[?2004l"
}
