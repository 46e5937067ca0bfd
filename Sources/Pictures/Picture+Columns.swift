internal import DisplayText

extension Picture {
  /// One of several lists that are compared.
  public struct Column: Sendable {
    public var title: String
    /// Lines below the title: `3 sections`, or the reason for a missing list.
    public var notes: [String]
    public var items: [Item]

    public init(_ title: String, notes: [String] = [], items: [Item]) {
      self.title = title
      self.notes = notes
      self.items = items
    }

    public struct Item: Sendable {
      public var label: String
      /// At the right edge of the column: the number of objects.
      public var detail: String
      /// Whether another list lacks the item, or has it at another place.
      public var isDifferent: Bool

      public init(_ label: String, detail: String = "", isDifferent: Bool = false) {
        self.label = label
        self.detail = detail
        self.isDifferent = isDifferent
      }
    }
  }
}

extension String {
  /// The words of a text without controls, on lines of a width; longer words are shortened.
  func broken(into cells: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      let word = String(word).shortened(to: cells)
      if let last = lines.last, last.displayWidth + 1 + word.displayWidth <= cells {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}
