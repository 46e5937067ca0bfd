import CEdit
import Glibc

/// A function that keys run, which `~/.editrc` can bind to other keys: `bind ^G ds-complete`.
struct KeyFunction {
  let name: String
  /// One clause, which the command `bind -l` of `~/.editrc` lists.
  let summary: String
  /// In the notation of libedit's `bind`.
  let keys: [String]
  let run: @convention(c) (OpaquePointer?, Int32) -> UInt8

  static let all = [
    KeyFunction(
      name: "ds-complete", summary: "Complete the word", keys: ["\t"],
      run: { edit, _ in perform(edit) { $0.completeWord() } }),
    KeyFunction(
      name: "ds-return", summary: "Run the entry, or continue it in a new line",
      keys: ["^M", "^J"],
      run: { edit, _ in perform(edit) { $0.endEntry() } }),
    KeyFunction(
      name: "ds-new-line", summary: "Begin a new line", keys: ["\u{1B}\r", "\u{1B}\n"],
      run: { edit, _ in perform(edit) { $0.insertNewLine() } }),
    KeyFunction(
      name: "ds-paste", summary: "Insert the pasted text", keys: ["\u{1B}[200~"],
      run: { edit, _ in perform(edit) { $0.insertPaste() } }),
    KeyFunction(
      name: "ds-previous", summary: "Show the previous entry with the same beginning",
      keys: ["\u{1B}[A", "\u{1B}OA", "^P"],
      run: { edit, _ in perform(edit) { $0.recall { $0.previous(from: $1) } } }),
    KeyFunction(
      name: "ds-next", summary: "Show the next entry with the same beginning",
      keys: ["\u{1B}[B", "\u{1B}OB", "^N"],
      run: { edit, _ in perform(edit) { $0.recall { $0.next(from: $1) } } }),
    KeyFunction(
      name: "ds-search-earlier", summary: "Search earlier entries", keys: ["^R"],
      run: { edit, _ in perform(edit) { $0.searchEntries() } }),
    KeyFunction(
      name: "ds-last-argument", summary: "Insert the last argument of an earlier entry",
      keys: ["\u{1B}.", "\u{1B}_"],
      run: { edit, _ in perform(edit) { $0.insertLastArgument() } }),
    KeyFunction(
      name: "ds-undo", summary: "Undo the last change", keys: ["^_", "\u{18}\u{15}"],
      run: { edit, _ in perform(edit) { $0.undoChange() } }),
    KeyFunction(
      name: "ds-forward", summary: "Move forward, or accept the hint",
      keys: ["\u{1B}[C", "\u{1B}OC", "^F"],
      run: { edit, _ in perform(edit) { $0.moveForward(by: .character) } }),
    KeyFunction(
      name: "ds-backward", summary: "Move back by a character",
      keys: ["\u{1B}[D", "\u{1B}OD", "^B"],
      run: { edit, _ in perform(edit) { $0.moveBackward() } }),
    KeyFunction(
      name: "ds-delete-backward", summary: "Delete the character before the cursor",
      keys: ["^?", "^H"],
      run: { edit, _ in perform(edit) { $0.deleteBackward() } }),
    KeyFunction(
      name: "ds-forward-word", summary: "Move to the end of the word, or accept a word of the hint",
      keys: ["\u{1B}f", "\u{1B}F", "\u{1B}[1;5C", "\u{1B}[1;3C"],
      run: { edit, _ in perform(edit) { $0.moveForward(by: .word) } }),
    KeyFunction(
      name: "ds-end", summary: "Move to the end of the line, or accept the hint",
      keys: ["\u{1B}[F", "\u{1B}OF", "\u{1B}[4~", "^E"],
      run: { edit, _ in perform(edit) { $0.moveForward(by: .line) } }),
    KeyFunction(
      name: "ds-clear", summary: "Clear the screen", keys: ["^L"],
      run: { edit, _ in perform(edit) { $0.clearScreen() } }),
  ]

  /// Functions of libedit, and keys to which it does not bind them by itself.
  private static let others = [
    ("\u{1B}[1;5D", "ed-prev-word"), ("\u{1B}[1;3D", "ed-prev-word"),
    ("\u{1B}[3~", "ed-delete-next-char"), ("\u{1B}[H", "ed-move-to-beg"),
    ("\u{1B}OH", "ed-move-to-beg"), ("\u{1B}[1~", "ed-move-to-beg"),
  ]

  /// - Parameter withEscape: whether keys that begin with Escape are bound.
  static func bind(_ edit: OpaquePointer, withEscape: Bool) {
    let binds = all.flatMap { function in function.keys.map { ($0, function.name) } } + others
    for (key, function) in binds where withEscape || key.first != "\u{1B}" {
      _ = ds_el_bind(edit, key, function)
    }
  }

  private static func perform(
    _ edit: OpaquePointer?, _ action: (EditLineReader) -> UInt8
  ) -> UInt8 {
    EditLineReader.reader(of: edit).map(action) ?? UInt8(CC_ERROR)
  }
}
