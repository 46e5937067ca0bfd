extension Picture {
  /// The visible part of a table view, with the marks of a batch update.
  public struct TableView: Sendable {
    public var lines: [TableLine]
    /// The titles of the section index at the right edge, from the top down; `•` for titles between
    /// them. Empty without an index.
    public var index: [String]

    /// The index title that stands for others.
    public static let bullet = "•"

    public init(_ lines: [TableLine], index: [String] = []) {
      self.lines = lines
      self.index = index
    }

    /// Whether a batch update changed a line.
    var hasMarks: Bool { lines.contains { $0.mark != nil } }

    /// The title of the index that is drawn beside a line; nil without one. As in a table
    /// view, the index is at the right edge, centered.
    func indexTitle(beside line: Int) -> String? {
      let position = line - max(0, (lines.count - index.count) / 2)
      return index.indices.contains(position) ? index[position] : nil
    }

    /// The lines with the index: a long index is longer than a short table.
    var paddedLines: [TableLine] {
      lines + (lines.count..<max(lines.count, index.count)).map { _ in TableLine(.gap, "") }
    }
  }

  /// A line of a table view.
  public struct TableLine: Sendable {
    public enum Kind: Sendable {
      case header, row
      /// A row whose object has not been fetched.
      case placeholder
      /// Lines that are left out, or a message in place of rows.
      case gap
    }
    public var kind: Kind
    public var title: String
    /// At the right edge: the number of objects of a section, the second text of a row.
    public var detail: String
    public var mark: Mark?

    public init(_ kind: Kind, _ title: String, detail: String = "", mark: Mark? = nil) {
      self.kind = kind
      self.title = title
      self.detail = detail
      self.mark = mark
    }
  }

  /// The effect of a batch update on a row or a section.
  public struct Mark: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable { case inserted, deleted, moved, updated }
    public var kind: Kind
    /// `inserted`, `moved from [0, 2]`
    public var text: String

    /// - Parameter text: nil for the name of the kind.
    public init(_ kind: Kind, text: String? = nil) {
      self.kind = kind
      self.text = text ?? kind.rawValue
    }

    /// The sign at the left edge of a text.
    var sign: Character {
      switch kind {
      case .inserted: "+"
      case .deleted: "-"
      case .moved: ">"
      case .updated: "~"
      }
    }
  }
}
