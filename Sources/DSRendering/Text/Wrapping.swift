internal import DisplayText

extension String {
  /// The text in lines of at most `width` cells, broken only at spaces. A longer word has a line of
  /// its own.
  ///
  /// - Parameters:
  ///   - width: nil for one line of any width.
  ///   - used: the number of cells before the text in the first line.
  ///   - indent: the number of blanks before later lines; nil for the column in which the text of
  ///     the line begins, after its indentation and after a first column.
  package func wrapped(to width: Int?, used: Int = 0, indent: Int? = nil) -> [String] {
    guard let width, used + displayWidth > width else { return [self] }
    let leading = prefix { $0 == " " }.count
    var indent = indent ?? textColumn
    // In a narrow terminal, a deep indentation would leave no room.
    if indent > width / 2 { indent = min(leading + 2, width / 4) }
    let blanks = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = String(repeating: " ", count: leading)
    var lineWidth = used + leading
    var gap = ""
    var hasWord = false
    for word in dropFirst(leading).split(separator: " ", omittingEmptySubsequences: false) {
      let wordWidth = String(word).displayWidth
      if hasWord, !word.isEmpty, lineWidth + gap.utf8.count + wordWidth > width {
        lines.append(line)
        (line, lineWidth, gap) = (blanks, indent, "")
      }
      // Blanks wait for the word after them, so that no line ends in blanks.
      if !word.isEmpty {
        line += gap + word
        lineWidth += gap.utf8.count + wordWidth
        (gap, hasWord) = ("", true)
      }
      gap += " "
    }
    return lines + [line]
  }

  /// The column in which the text of a line begins: the second column of `  name  text`.
  private var textColumn: Int {
    let leading = prefix { $0 == " " }.count
    var column = leading
    var blanks = 0
    for character in dropFirst(leading) {
      if blanks > 1, character != " " { return column }
      blanks = character == " " ? blanks + 1 : 0
      column += character.displayWidth
    }
    return leading
  }
}
