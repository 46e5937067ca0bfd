import CEdit
import DSInterpreter
import Glibc

/// Lines edited with libedit: history, completion, search, and the user's `~/.editrc`.
final class EditLineReader: LineReader {
  let edit: OpaquePointer
  let input = TerminalInput()
  private let entries: OpaquePointer
  private var search: HistorySearch
  private let stream: UnsafeMutablePointer<FILE>
  private var prompt: UnsafeMutablePointer<CChar>?
  /// What may stand at an offset of the line.
  private(set) var complete: (String, Int) -> Completions = { _, _ in
    Completions(start: 0, candidates: [])
  }
  /// The line in which Tab found several words and could add nothing; a second one lists them.
  var ambiguous: String?
  private var marksPastes = true
  /// Set when Ctrl-C ends the wait: whether nothing stood in the line.
  private var interruption: Bool?

  /// - Returns: nil when libedit cannot work with this terminal.
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

  /// libedit crashes on a prompt that is not of the locale's encoding, and types in no other.
  private static func setLocale() {
    setlocale(LC_CTYPE, "")
    if let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) == "UTF-8" { return }
    setlocale(LC_CTYPE, "C.UTF-8")
  }

  private func configure() {
    _ = ds_el_set_client(edit, Unmanaged.passUnretained(self).toOpaque())
    _ = ds_el_set_prompt(edit) { EditLineReader.of($0)?.prompt }
    _ = ds_el_set_getc(edit) { edit, character in
      guard let reader = EditLineReader.of(edit), let character else { return -1 }
      return reader.nextCharacter(character)
    }
    _ = ds_el_set_editor(edit, "emacs")
    _ = ds_el_set_int(edit, EL_SIGNAL, 0)
    _ = ds_el_set_history(edit, entries)
    _ = ds_el_add_function(edit, "ds-complete", "Complete the word") { edit, _ in
      EditLineReader.of(edit)?.completeWord() ?? UInt8(CC_ERROR)
    }
    _ = ds_el_add_function(edit, "ds-paste", "Put what is pasted into the line") { edit, _ in
      EditLineReader.of(edit)?.pasteText() ?? UInt8(CC_ERROR)
    }
    _ = ds_el_add_function(edit, "ds-previous", "The entry before that begins alike") { edit, _ in
      EditLineReader.of(edit)?.recall { $0.previous(from: $1) } ?? UInt8(CC_ERROR)
    }
    _ = ds_el_add_function(edit, "ds-next", "The entry after that begins alike") { edit, _ in
      EditLineReader.of(edit)?.recall { $0.next(from: $1) } ?? UInt8(CC_ERROR)
    }
    let tab = ("\t", "ds-complete")
    let binds = [
      tab, (Self.pasteStart, "ds-paste"),
      ("^R", "em-inc-search-prev"),
      ("\u{1B}[A", "ds-previous"), ("\u{1B}OA", "ds-previous"),
      ("\u{1B}[B", "ds-next"), ("\u{1B}OB", "ds-next"),
    ]
    for (key, function) in binds { _ = ds_el_bind(edit, key, function) }
    // The last word is the user's. A change to vi mode takes all binds away; that of the paste stays
    // away, because with it Escape alone would be waited for.
    el_source(edit, nil)
    if let editor = ds_el_editor(edit), strcmp(editor, "vi") == 0 {
      _ = ds_el_bind(edit, tab.0, tab.1)
      marksPastes = false
    }
  }

  private static func of(_ edit: OpaquePointer?) -> EditLineReader? {
    guard let client = ds_el_client(edit) else { return nil }
    return Unmanaged<EditLineReader>.fromOpaque(client).takeUnretainedValue()
  }

  func readLine(prompt: String, complete: @escaping (String, Int) -> Completions) -> TypedLine {
    free(self.prompt)
    self.prompt = strdup(prompt)
    self.complete = complete
    ambiguous = nil
    interruption = nil
    input.takeTypedAhead()
    el_resize(edit)
    if marksPastes { write(Self.pasteOn) }
    defer { if marksPastes { write(Self.pasteOff) } }
    // libedit would do so with the first key, after the prompt is seen: what is typed at once would
    // be echoed twice.
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

  /// Up and Down.
  /// - Returns: what libedit does then.
  private func recall(_ step: (inout HistorySearch, String) -> String?) -> UInt8 {
    guard let line, let entry = step(&search, line.text) else { return UInt8(CC_REFRESH_BEEP) }
    el_replacestr(edit, entry)
    return UInt8(CC_REFRESH)
  }

  /// Writes beside what libedit writes, in order.
  func write(_ text: String) {
    fputs(text, stream)
    fflush(stream)
  }

  /// The line that is being typed.
  var line: (text: String, cursor: Int)? {
    guard let info = el_line(edit)?.pointee, let buffer = info.buffer, let cursor = info.cursor,
      let end = info.lastchar
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: buffer, count: end - buffer)
    return (String(decoding: bytes, as: UTF8.self), cursor - buffer)
  }

  /// Takes what a signal means while a line is typed.
  /// - Returns: whether the line goes on.
  func receive(_ signal: Int32) -> Bool {
    switch signal {
    case SIGINT:
      interruption = line?.text.isEmpty ?? true
      return false
    case SIGWINCH: el_resize(edit)
    case SIGCONT:
      // The shell that was in the foreground meanwhile left the terminal in its own mode.
      _ = ds_el_set_int(edit, EL_PREP_TERM, 1)
      if marksPastes { write(Self.pasteOn) }
      _ = ds_el_refresh(edit)
    default: break
    }
    return true
  }
}
