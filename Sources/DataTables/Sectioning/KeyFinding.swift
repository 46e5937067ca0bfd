/// What is odd about a key that rows are cut by.
public enum KeyFinding: Hashable, Sendable {
  /// So many rows have no value under the key.
  case nulls(Int)
  /// So many rows have no date under the key, where spans of time are cut.
  case undated(Int)
  /// All rows, and there are minimumRows, have this value.
  case sameInAll(Value)
  /// No two of minimumRows rows have the same value; one of them is given.
  case differentInAll(example: Value)

  /// Fewer rows than this are alike, or all different, by chance.
  private static let minimumRows = 5

  /// - Parameter isByValue: whether each section is one value of the key.
  /// - Complexity: O(sections).
  public static func all(in sections: Sections, isByValue: Bool) -> [KeyFinding] {
    guard sections.listed == nil, let rows = sections.offsets.last else { return [] }
    var findings: [KeyFinding] = []
    var nulls = 0
    for (section, title) in sections.titles.enumerated() where title.isNull {
      nulls += sections.offsets[section + 1] - sections.offsets[section]
    }
    if nulls > 0 { findings.append(isByValue ? .nulls(nulls) : .undated(nulls)) }
    if isByValue, rows >= minimumRows, nulls < rows {
      if sections.count == 1 {
        findings.append(.sameInAll(sections.titles[0]))
      } else if sections.count == rows, sections.repeated.isEmpty {
        let example = sections.titles.first { !$0.isNull } ?? .null
        findings.append(.differentInAll(example: example))
      }
    }
    return findings
  }
}
