/// Finds the names that a user probably meant.
package enum NearNames {
  /// The name at the smallest edit distance from `word`, ignoring case; nil if all distances exceed
  /// a third of the longer length, or if `word` has more than 64 characters. Among names at the
  /// same distance, returns the first with the same first letter, else the first.
  package static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    let characters = Array(word.lowercased())
    guard characters.count <= maxLength else { return nil }
    var best: (name: String, cost: Int)?
    for name in names where name != word {
      let other = Array(name.lowercased())
      let distance = distance(characters, other)
      guard distance <= max(characters.count, other.count) / 3 else { continue }
      let cost = 2 * distance + (other.first == characters.first ? 0 : 1)
      if cost < best?.cost ?? .max { best = (name, cost) }
    }
    return best?.name
  }

  /// The positions of the names by their distance from `word`, ignoring case. Names at the same
  /// distance keep their order.
  package static func order(of names: [String], from word: String) -> [Int] {
    let characters = Array(word.lowercased().prefix(maxLength))
    return names.enumerated().map { place, name in
      (distance(characters, Array(name.lowercased().prefix(maxLength))), place)
    }.sorted { $0 < $1 }.map(\.1)
  }

  /// Longer names are compared by their start.
  private static let maxLength = 64

  /// The number of inserted, removed, replaced and swapped characters: the restricted
  /// Damerau-Levenshtein distance, which never edits a part twice.
  package static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for i in 0..<left.count {
      var row = [i + 1]
      row.reserveCapacity(right.count + 1)
      for j in 0..<right.count {
        let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
        var least = min(last[j + 1] + 1, row[j] + 1, replaced)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          least = min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }
}
