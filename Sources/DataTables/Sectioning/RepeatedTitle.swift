/// A title that more than one section has.
public struct RepeatedTitle: Hashable, Sendable {
  public let title: Value
  /// The first eight of its sections.
  public let sections: [Int]
  /// How many sections have it.
  public let count: Int

  /// - Parameter ids: one number a title, the same for equal ones.
  static func all(_ titles: [Value], ids: [UInt64]) -> [RepeatedTitle] {
    // Sections by title: those of one title stand together, in their order.
    var entries = ids.indices.map { KeyedIndex(key: ids[$0], index: UInt32($0)) }
    KeyedIndex.sort(&entries)
    var repeated: [RepeatedTitle] = []
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].key == entries[start].key { end += 1 }
      if end - start > 1 {
        let first = entries[start..<min(end, start + 8)].map { Int($0.index) }
        repeated.append(
          RepeatedTitle(title: titles[first[0]], sections: first, count: end - start))
      }
      start = end
    }
    return repeated.sorted { $0.sections[0] < $1.sections[0] }
  }
}
