import DisplayText

/// The lines of a table in the output of a command; the first one is its header.
struct PrintedTable: Sendable, Equatable {
  var lines: Range<Int>
  /// Whether each row begins with the index path of its object.
  var hasIndexPaths: Bool
}

/// A row of a printed table.
struct TableRow: Equatable {
  /// `[0, 1]`; nil for a table without index paths.
  let path: String?
  /// One for each column; empty where the row has no value.
  let cells: [String]
}

/// The columns of a printed table, located by the words of its header.
///
/// Two blanks separate cells. A cell that has blanks itself, and a row with empty cells, are divided by
/// the places of the header's words.
struct TableColumns {
  let names: [String]
  let hasIndexPaths: Bool
  /// In cells of the terminal.
  private let places: [Range<Int>]

  /// - Returns: nil for a line without words.
  init?(header: String, hasIndexPaths: Bool) {
    let words = Self.words(of: header)
    if words.isEmpty { return nil }
    names = words.map(\.text)
    places = words.map(\.place)
    self.hasIndexPaths = hasIndexPaths
  }

  /// The cells of a line.
  ///
  /// - Parameter hasPlaces: whether the columns of the line are below those of the header; a line with
  ///   holes is divided by its blanks only.
  /// - Returns: nil for the title of a section, and if the line cannot be divided.
  func row(_ line: String, hasPlaces: Bool = true) -> TableRow? {
    var words = Self.words(of: line)[...]
    var path: String?
    if hasIndexPaths {
      guard line.utf8.first == UInt8(ascii: " "), let first = words.popFirst(),
        first.text.hasPrefix("["), first.text.hasSuffix("]")
      else { return nil }
      path = first.text
    }
    if words.count == names.count { return TableRow(path: path, cells: words.map(\.text)) }
    guard hasPlaces else { return nil }
    var cells = [String](repeating: "", count: names.count)
    for word in words {
      let column =
        places.firstIndex { $0.overlaps(word.place) }
        ?? places.lastIndex { $0.lowerBound <= word.place.lowerBound } ?? 0
      cells[column] += (cells[column].isEmpty ? "" : Self.gap) + word.text
    }
    return TableRow(path: path, cells: cells)
  }

  static let gap = "  "

  private struct Word {
    let text: String
    let place: Range<Int>
  }

  /// The parts of a line that two or more blanks separate.
  private static func words(of line: String) -> [Word] {
    var words: [Word] = []
    var (text, start, column, blanks) = ("", 0, 0, 0)
    for character in line {
      let width = character.isASCII ? 1 : String(character).displayWidth
      if character == " " {
        blanks += 1
      } else {
        if blanks > 1 || text.isEmpty {
          if !text.isEmpty { words.append(Word(text: text, place: start..<column - blanks)) }
          (text, start) = ("", column)
        } else if blanks == 1 {
          text += " "
        }
        text.append(character)
        blanks = 0
      }
      column += width
    }
    if !text.isEmpty {
      words.append(Word(text: text, place: start..<max(start + 1, column - blanks)))
    }
    return words
  }
}
