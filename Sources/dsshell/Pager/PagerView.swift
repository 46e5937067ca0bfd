/// The lines of a result, the part of them that a terminal shows, and a search in them.
struct PagerView {
  /// Parsed when they are drawn or searched: a text may have many lines.
  private let lines: [Substring]
  /// The number of lines that stay at the top: the header of a table.
  private let pinned: Int
  private let width: Int
  private(set) var screen: (rows: Int, columns: Int)
  /// The first line below the pinned ones.
  private(set) var top: Int
  /// The first column.
  private(set) var left = 0
  /// The text that was searched for, which is highlighted; "" for none.
  private(set) var pattern = ""
  /// Shown in place of the position until the next movement.
  var message: String?

  enum Movement {
    case lines(Int)
    case pages(Int)
    case halfPages(Int)
    case start, end
    /// In halves of the width.
    case sideways(Int)
    case leftmost, rightmost
  }

  init(_ text: String, pinned: Int, rows: Int, columns: Int) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast(text.hasSuffix("\n") ? 1 : 0)
    self.pinned = min(pinned, lines.count)
    width = lines.lazy.map(StyledLine.width).max() ?? 0
    screen = (max(rows, 2), max(columns, 1))
    top = self.pinned
  }

  /// The number of lines that move. The last row of the screen shows the position.
  private var pageSize: Int { max(1, screen.rows - 1 - pinned) }
  private var lastTop: Int { max(pinned, lines.count - pageSize) }
  private var lastLeft: Int { max(0, width - screen.columns) }

  mutating func resize(rows: Int, columns: Int) {
    screen = (max(rows, 2), max(columns, 1))
    move(.lines(0))
  }

  mutating func move(_ movement: Movement) {
    message = nil
    match = nil
    switch movement {
    case .lines(let count): top += count
    case .pages(let count): top += count * pageSize
    case .halfPages(let count): top += count * max(1, pageSize / 2)
    case .start: top = pinned
    case .end: top = lastTop
    case .sideways(let count): left += count * max(1, screen.columns / 2)
    case .leftmost: left = 0
    case .rightmost: left = lastLeft
    }
    top = min(max(top, pinned), lastTop)
    left = min(max(left, 0), lastLeft)
  }

  /// Begins a search and moves to its first match from the top of the screen on. An empty text
  /// repeats the last search.
  mutating func search(_ text: String) {
    if !text.isEmpty { pattern = text }
    find(from: top, by: 1)
  }

  /// Moves to the next match after the top of the screen, or to the one before it.
  mutating func searchAgain(backward: Bool) {
    find(from: backward ? (match ?? top) - 1 : (match ?? top - 1) + 1, by: backward ? -1 : 1)
  }

  /// The line of the last match; nil after another movement.
  private var match: Int?

  private mutating func find(from start: Int, by step: Int) {
    message = nil
    guard !pattern.isEmpty else {
      message = "nothing to search for: type / and a text"
      return
    }
    var line = start
    while line >= pinned, line < lines.count {
      if let column = StyledLine(lines[line]).column(of: pattern) {
        top = min(max(line, pinned), lastTop)
        if !(left..<left + screen.columns).contains(column) {
          left = min(max(0, column - screen.columns / 4), lastLeft)
        }
        match = line
        return
      }
      line += step
    }
    message = "\(step > 0 ? "no more" : "no earlier") `\(pattern)`"
  }

  // The picture.

  /// The rows of the screen.
  /// - Parameter prompt: shown in the last row in place of the position.
  func rows(prompt: String? = nil, hasColor: Bool = true) -> [String] {
    let body = top..<min(top + pageSize, lines.count)
    var rows = (Array(0..<pinned) + Array(body)).map { index in
      StyledLine(lines[index])
        .text(from: left, columns: screen.columns, highlighting: pattern, hasColor)
    }
    while rows.count < screen.rows - 1 { rows.append("") }
    rows = Array(rows.prefix(screen.rows - 1))
    if let prompt { return rows + [prompt] }
    let status = StyledLine(Substring(message ?? position))
    return rows + ["\u{1B}[7m" + status.text(from: 0, columns: screen.columns) + "\u{1B}[0m"]
  }

  /// The lines that are visible, without the last row of the screen.
  var visibleLines: [String] {
    let body = top..<min(top + pageSize, lines.count)
    return (Array(0..<pinned) + Array(body)).map {
      StyledLine(lines[$0]).text(from: left, columns: screen.columns)
    }
  }

  /// `q quits; lines 1-22 of 120, columns 1-80 of 131; / searches, arrows and Space move`; a narrow
  /// screen cuts the end.
  private var position: String {
    let last = min(top + pageSize, lines.count)
    var text = "q quits; lines \(top - pinned + 1)-\(last - pinned) of \(lines.count - pinned)"
    if width > screen.columns {
      text += ", columns \(left + 1)-\(min(left + screen.columns, width)) of \(width)"
    }
    return text + "; / searches, arrows and Space move"
  }
}
