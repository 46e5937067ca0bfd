/// Which sections of an old content are still there in a new one, and stay where they are.
struct SectionPairing {
  /// For each old section the new one that has its title and is the same of those that have it; -1
  /// for none.
  let newSections: [Int]

  /// - Complexity: O(sections) expected.
  init(old: [Value], new: [Value]) {
    var places: [Value: [Int]] = [:]
    for (section, title) in new.enumerated().reversed() {
      places[title, default: []].append(section)
    }
    newSections = old.map { places[$0]?.popLast() ?? -1 }
  }

  /// For each old section the new one that it stays as; -1 when it is deleted, though a section with
  /// its title may be inserted.
  ///
  /// The sections that stay keep the most objects in their places. Of equal choices it is the one
  /// that keeps the first objects; of sections that keep no object as many as go with these.
  /// - Parameter keeps: for each old section how many of its objects stay if it does.
  func staying(keeps: [Int]) -> [Int] {
    var staying = [Int](repeating: -1, count: newSections.count)
    let heavy = newSections.indices.filter { newSections[$0] >= 0 && keeps[$0] > 0 }
    let chosen = IncreasingSubsequence.heaviestIndexes(
      of: heavy.map { newSections[$0] }, weights: heavy.map { keeps[$0] }
    ).map { heavy[$0] }
    for section in chosen { staying[section] = newSections[section] }
    // Between each two of these, and at both ends.
    var low = (old: -1, new: -1)
    for section in chosen + [newSections.count] {
      let high = (
        old: section, new: section < newSections.count ? newSections[section] : Int.max
      )
      let light = (low.old + 1..<high.old).filter {
        keeps[$0] == 0 && newSections[$0] > low.new && newSections[$0] < high.new
      }
      for index in IncreasingSubsequence.indexes(of: light.map { newSections[$0] }) {
        staying[light[index]] = newSections[light[index]]
      }
      low = high
    }
    return staying
  }
}
