/// A title that more than one section has.
public struct RepeatedTitle: Hashable, Sendable {
  public let title: Value
  /// The first eight of its sections.
  public let sections: [Int]
  /// How many sections have it.
  public let count: Int

  /// - Parameters:
  ///   - groups: one number a title, below `bound`, the same for equal titles.
  static func all(_ titles: [Value], groups: [Int], bound: Int) -> [RepeatedTitle] {
    var counts = [Int](repeating: 0, count: bound)
    for group in groups { counts[group] += 1 }
    // Where the title of a group stands among those that come again.
    var places = [Int](repeating: -1, count: bound)
    var sections: [[Int]] = []
    for (section, group) in groups.enumerated() where counts[group] > 1 {
      let place = places[group]
      if place >= 0 {
        if sections[place].count < 8 { sections[place].append(section) }
      } else {
        places[group] = sections.count
        sections.append([section])
      }
    }
    return sections.map { sections in
      RepeatedTitle(
        title: titles[sections[0]], sections: sections, count: counts[groups[sections[0]]])
    }
  }
}
