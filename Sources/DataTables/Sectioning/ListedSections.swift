/// Titles that are listed, some of which may not be shown, as a ``Sections``.
struct ListedSections {
  private var offsets = [0]
  private var titles: [Value] = []
  private var listed: [ListedTitle] = []

  /// - Parameter isShown: whether it is a section; one with rows is.
  mutating func append(_ title: Value, count: Int, isShown: Bool = true) {
    listed.append(ListedTitle(title: title, section: isShown ? titles.count : nil))
    guard isShown else { return }
    titles.append(title)
    offsets.append(offsets[offsets.count - 1] + count)
  }

  var sections: Sections { Sections(offsets: offsets, titles: titles, listed: listed) }
}

/// A title of a list of sections, which may be hidden.
public struct ListedTitle: Hashable, Sendable {
  public let title: Value
  /// nil when the section is hidden.
  public let section: Int?

  public init(title: Value, section: Int?) {
    self.title = title
    self.section = section
  }
}
