import DSInterpreter
import DSRendering
import DataSources
import Glibc

/// Shows the results of the prompt that do not fit on the terminal in a pager: in the program that
/// the variable `PAGER` names, otherwise in the built-in one.
struct ResultPager {
  private enum Kind {
    case builtIn(Pager)
    case external(ExternalPager)
  }
  private let terminal: Terminal
  private let kind: Kind

  /// The largest text that is collected to be paged; longer ones are written as they are made.
  static let maximumSize = 1 << 20

  /// - Returns: nil if standard input or output is not a terminal that can move its cursor, or if
  ///   `PAGER` is set but empty.
  init?(_ terminal: Terminal) {
    guard terminal.isTerminal, isatty(STDIN_FILENO) == 1, !Terminal.isDumb else { return nil }
    self.terminal = terminal
    guard let value = getenv("PAGER") else {
      kind = .builtIn(Pager(terminal))
      return
    }
    let command = String(cString: value)
    guard command.contains(where: { $0 != " " }) else { return nil }
    kind = .external(ExternalPager(command: command))
  }

  /// Whether a text is shown in pages. It is not if keys were typed ahead, which are commands.
  func isNeeded(for text: String, _ notices: RenderingNotices) -> Bool {
    guard let size = terminal.size, !hasTypedAhead else { return false }
    if notices.hidesColumns { return true }
    // The last row is for the prompt.
    var rows = size.rows - 1
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      rows -= max(1, (StyledLine.width(of: line) + size.columns - 1) / size.columns)
      if rows < 0 { return true }
    }
    return false
  }

  private var hasTypedAhead: Bool {
    var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// Shows a table view until the user quits, also if the text pager is another program.
  ///
  /// - Returns: false if keys were typed ahead, which are commands.
  /// - Throws: the errors of reading objects; the terminal is restored before.
  func show(_ preview: TablePreview) async throws -> Bool {
    if hasTypedAhead { return false }
    return try await PreviewScreen(terminal, preview).show()
  }

  /// - Parameters:
  ///   - text: with whole columns.
  ///   - pinned: the number of lines that stay at the top.
  /// - Returns: false if the pager cannot be run.
  func show(_ text: String, pinned: Int) -> Bool {
    switch kind {
    case .builtIn(let pager): pager.show(text, pinned: pinned)
    case .external(let pager): return pager.show(text)
    }
    return true
  }
}

extension Output {
  /// The number of lines with the header of a table.
  var numberOfHeaderLines: Int {
    switch content {
    case .grid(let grid): grid.hidesHeader || grid.rows.isEmpty ? 0 : 1
    case .objects(let listing): listing.snapshot.store.keys.isEmpty ? 0 : 1
    default: 0
    }
  }
}
