/// A property of a text that every format reads in the same way and reports with its number and the
/// first line.
package struct CountedFinding: Sendable {
  package enum Kind: Sendable {
    /// A record in which a key repeats: the last value is kept, in the place of the first.
    case duplicateKeys
    /// An escape that is half of a surrogate pair, read as U+FFFD.
    case loneSurrogates
  }

  package private(set) var count = 0
  private let kind: Kind
  /// The line of the first one, from 1; nil if it is not known.
  private var firstLine: Int?

  package init(_ kind: Kind) { self.kind = kind }

  package init(_ kind: Kind, count: Int, firstLine: Int?) {
    self.kind = kind
    self.count = count
    self.firstLine = firstLine
  }

  package mutating func note(line: Int?) {
    count += 1
    if count == 1 { firstLine = line }
  }

  /// One line for the load report; none without a finding.
  package var notes: [String] {
    guard count > 0 else { return [] }
    let place = firstLine.map { ", first at line \($0.grouped)" } ?? ""
    switch kind {
    case .duplicateKeys:
      let subject = count == 1 ? "1 record has a" : "\(count.grouped) records have a"
      return ["\(subject) duplicate key\(place); the last value counts"]
    case .loneSurrogates:
      let subject = count == 1 ? "1 unpaired surrogate" : "\(count.grouped) unpaired surrogates"
      return ["\(subject) read as U+FFFD\(place)"]
    }
  }
}
