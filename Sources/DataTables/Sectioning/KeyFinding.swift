/// An unusual property of a key by which rows are split into sections.
public enum KeyFinding: Hashable, Sendable {
  /// The number of rows without a value for the key.
  case nulls(Int)
  /// The number of rows without a date for the key, in sections by time span.
  case undated(Int)
  /// All rows have this value.
  case sameInAll(Value)
  /// All rows have different values; `example` is one of them.
  case differentInAll(example: Value)

  /// With fewer rows, it is not unusual that all values are equal or all are different.
  private static let minimumRows = 5

  /// - Parameter isByValue: whether each section holds one value of the key.
  /// - Complexity: O(sections).
  public static func all(in sections: Sections, isByValue: Bool) -> [KeyFinding] {
    guard sections.listed == nil, let rows = sections.offsets.last else { return [] }
    var nulls = 0
    for (section, title) in sections.titles.enumerated() where title.isNull {
      nulls += sections.positions(in: section).count
    }
    return all(
      sections: sections.repeated.isEmpty ? sections.count : 0, rows: rows, nulls: nulls,
      example: sections.titles.first { !$0.isNull } ?? .null, isByValue: isByValue)
  }

  /// - Parameters:
  ///   - sections: the number of sections with different titles.
  ///   - nulls: the number of rows in sections titled null.
  ///   - example: the first other title.
  package static func all(
    sections: Int, rows: Int, nulls: Int, example: Value, isByValue: Bool
  ) -> [KeyFinding] {
    var findings: [KeyFinding] = []
    if nulls > 0 { findings.append(isByValue ? .nulls(nulls) : .undated(nulls)) }
    if isByValue, rows >= minimumRows, nulls < rows {
      if sections == 1 {
        findings.append(.sameInAll(example))
      } else if sections == rows {
        findings.append(.differentInAll(example: example))
      }
    }
    return findings
  }
}
