/// The sections of ordered rows.
public struct Sections: Sendable {
  /// The position of the first row of each section, followed by the number of rows.
  ///
  /// - Shape: `sections + 1` ascending positions, the first one 0; `[0]` without sections.
  public let offsets: [Int]
  /// One title per section. In a mode by value, it is the value of the key in the first object of
  /// the section, as it is written there.
  public let titles: [Value]
  /// The titles that several sections have, in the order of their first sections.
  public let repeated: [RepeatedTitle]
  /// The titles of all sections, including hidden ones; nil if the mode never hides sections.
  public let listed: [ListedTitle]?

  public var count: Int { titles.count }

  public init(
    offsets: [Int], titles: [Value], repeated: [RepeatedTitle] = [], listed: [ListedTitle]? = nil
  ) {
    self.offsets = offsets
    self.titles = titles
    self.repeated = repeated
    self.listed = listed
  }

  /// One section with all rows, which is empty without rows.
  public static func whole(_ rows: Int, title: Value = "") -> Sections {
    Sections(offsets: [0, rows], titles: [title])
  }

  /// The positions of the rows of a section in the order.
  func positions(in section: Int) -> Range<Int> { offsets[section]..<offsets[section + 1] }

  /// The section of a position in the order.
  /// - Precondition: `position` is in `0..<offsets.last`.
  /// - Complexity: O(log sections).
  public func section(of position: Int) -> Int {
    var low = 0
    var high = titles.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsets[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}

/// A title that several sections have.
public struct RepeatedTitle: Hashable, Sendable {
  public let title: Value
  /// The first eight of its sections.
  public let sections: [Int]
  /// The number of its sections.
  public let count: Int

  /// The titles that occur more than once, in the order of their first sections.
  package static func all(_ titles: [Value]) -> [RepeatedTitle] {
    var numbers: [Value: Int] = [:]
    let groups = titles.map { title in
      let number = numbers[title] ?? numbers.count
      numbers[title] = number
      return number
    }
    return all(titles, groups: groups, bound: numbers.count)
  }

  /// - Parameter groups: one number per title, below `bound`, equal for equal titles.
  static func all(_ titles: [Value], groups: [Int], bound: Int) -> [RepeatedTitle] {
    var counts = [Int](repeating: 0, count: bound)
    for group in groups { counts[group] += 1 }
    // For each group, its index in `sections`, or -1.
    var indexes = [Int](repeating: -1, count: bound)
    var sections: [[Int]] = []
    for (section, group) in groups.enumerated() where counts[group] > 1 {
      let index = indexes[group]
      if index >= 0 {
        if sections[index].count < 8 { sections[index].append(section) }
      } else {
        indexes[group] = sections.count
        sections.append([section])
      }
    }
    return sections.map { sections in
      RepeatedTitle(
        title: titles[sections[0]], sections: sections, count: counts[groups[sections[0]]])
    }
  }
}

/// A title of a mode that can hide sections.
public struct ListedTitle: Hashable, Sendable {
  public let title: Value
  /// nil if the section is hidden.
  public let section: Int?

  public init(title: Value, section: Int?) {
    self.title = title
    self.section = section
  }
}
