internal import DisplayText

/// Lines of a terminal, or of a plain text.
public struct TextDrawing: Drawing {
  public static let name = "text"
  public static let summary = "lines of text"
  private static let usualWidth = 80
  private static let mostCellsOfBar = 60
  /// More texts of a box are written below each other.
  private static let mostTextsOfLine = 3

  /// The cells of a line.
  let width: Int

  public init() { self.init(width: Self.usualWidth) }

  /// - Parameter width: the cells of a line; nil for 80.
  public init(width: Int?) { self.width = width ?? Self.usualWidth }

  public func document(_ picture: Picture) -> String {
    ([picture.title.escapingControls()] + lines(picture)).map { $0 + "\n" }.joined()
  }

  /// The picture without its title.
  public func lines(_ picture: Picture) -> [String] {
    let lines =
      switch picture.content {
      case .bars(let bars): lines(bars)
      case .boxes(let boxes, let arrows): lines(boxes, arrows)
      case .table(let table): lines(table)
      case .lanes(let lanes, let messages): lines(lanes, messages)
      case .columns(let columns): lines(columns)
      }
    return lines + (picture.note.map { [$0.escapingControls()] } ?? [])
  }

  // MARK: Bars

  private func lines(_ bars: [Picture.Bar]) -> [String] {
    let numbers = bars.map { String($0.length) }
    let numberWidth = numbers.map(\.count).max() ?? 0
    // A long label leaves half of the line to its bar.
    let labels = bars.map { $0.label.escapingControls().shortened(to: width / 2) }
    let labelWidth = labels.map(\.displayWidth).max() ?? 0
    let room = min(Self.mostCellsOfBar, max(1, width - labelWidth - numberWidth - 4))
    let longest = bars.map(\.length).max() ?? 0
    return bars.indices.map { index in
      let label = labels[index].padded(to: labelWidth)
      let number =
        String(repeating: " ", count: numberWidth - numbers[index].count) + numbers[index]
      let cells = Self.cells(bars[index].length, of: longest, room: room)
      return label + "  " + number + (cells.isEmpty ? "" : "  " + cells)
    }
  }

  /// A bar to an eighth of a cell; one that is not 0 is never empty.
  private static func cells(_ length: Int, of longest: Int, room: Int) -> String {
    guard length > 0 else { return "" }
    let exact = Double(length) / Double(longest) * Double(room * 8)
    let eighths = max(1, Int(exact.rounded()))
    let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let rest = eighths % 8
    return String(repeating: "█", count: eighths / 8) + (rest == 0 ? "" : String(parts[rest - 1]))
  }

  // MARK: Boxes

  /// The boxes as a tree; a box with several arrows to it has its arrows below the first of them.
  private func lines(_ boxes: [Picture.Box], _ arrows: [Picture.Arrow]) -> [String] {
    var ends = [[Int]](repeating: [], count: boxes.count)
    var isEnd = [Bool](repeating: false, count: boxes.count)
    for arrow in arrows {
      ends[arrow.start].append(arrow.end)
      isEnd[arrow.end] = true
    }
    var lines: [String] = []
    var shown = [Bool](repeating: false, count: boxes.count)
    // A stack instead of recursion, because sources are nested to any depth.
    var open = boxes.indices.filter { !isEnd[$0] }.reversed().map {
      (box: $0, lead: "", branch: "")
    }
    while let (box, lead, branch) = open.popLast() {
      let texts = boxes[box].lines.map { $0.escapingControls() }
      let isNew = !shown[box]
      // Many texts, which are sentences, do not fit on one line.
      let isLong = texts.count > Self.mostTextsOfLine
      let rest = isNew ? Array(texts.dropFirst().prefix(isLong ? 1 : texts.count)) : ["as above"]
      lines.append(lead + branch + ([texts[0]] + rest).joined(separator: "  "))
      if !isNew { continue }
      shown[box] = true
      let inner = lead + (branch.isEmpty ? "" : branch == "└ " ? "  " : "│ ")
      if isLong {
        let below = inner + (ends[box].isEmpty ? "    " : "│   ")
        lines += texts.dropFirst(2).map { below + $0 }
      }
      for (index, end) in ends[box].enumerated().reversed() {
        open.append((end, inner, index == ends[box].count - 1 ? "└ " : "├ "))
      }
    }
    return lines
  }
}

extension String {
  /// The text, with spaces after it up to a width.
  func padded(to cells: Int) -> String {
    self + String(repeating: " ", count: max(0, cells - displayWidth))
  }

  /// The text, with spaces before it up to a width.
  func aligned(to cells: Int) -> String {
    String(repeating: " ", count: max(0, cells - displayWidth)) + self
  }

  /// The text without spaces at its end.
  var trimmed: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
