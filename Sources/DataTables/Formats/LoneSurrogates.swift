/// The escapes of a text that are half of a surrogate pair, which every format reads as U+FFFD and
/// reports.
package struct LoneSurrogates: Sendable {
  package private(set) var count = 0
  /// The line of the first one; nil if it is not known.
  private var firstLine: Int?

  package init() {}

  package init(count: Int, firstLine: Int?) {
    self.count = count
    self.firstLine = firstLine
  }

  package mutating func note(line: Int?) {
    count += 1
    if count == 1 { firstLine = line }
  }

  /// One line for the load report; none without such escapes.
  package var notes: [String] {
    guard count > 0 else { return [] }
    let subject = count == 1 ? "1 unpaired surrogate" : "\(count.grouped) unpaired surrogates"
    let place = firstLine.map { ", first at line \($0.grouped)" } ?? ""
    return ["\(subject) read as U+FFFD\(place)"]
  }
}
