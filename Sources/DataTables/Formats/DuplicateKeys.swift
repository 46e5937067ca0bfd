/// The records of a text in which a key repeats. Every format keeps the last value of such a key, in
/// the place of the first, and reports it.
package struct DuplicateKeys: Sendable {
  /// The number of records with a duplicate key.
  package private(set) var records = 0
  /// The line of the first one; nil in a format without lines.
  private var firstLine: Int?

  package init() {}

  package init(records: Int, firstLine: Int?) {
    self.records = records
    self.firstLine = firstLine
  }

  /// - Parameter line: the line on which the record starts, from 1; nil if it has none.
  package mutating func noteRecord(line: Int?) {
    records += 1
    if records == 1 { firstLine = line }
  }

  /// One line for the load report; none without duplicates.
  package var notes: [String] {
    guard records > 0 else { return [] }
    let subject = records == 1 ? "1 record has a" : "\(records.grouped) records have a"
    let place = firstLine.map { ", first at line \($0.grouped)" } ?? ""
    return ["\(subject) duplicate key\(place); the last value counts"]
  }
}
