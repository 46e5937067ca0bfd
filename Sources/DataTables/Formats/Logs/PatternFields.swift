internal import CScan

/// The fields of a line that a regular expression with named groups matches: a group is a field.
///
/// If the last group takes the rest of a line, as messages do, lines that do not match may continue
/// it: those with an indentation, and, where entries begin with a time, those that do not.
struct PatternFields: LineFields {
  let pattern: GroupedPattern
  /// Whether entries begin with a time.
  var beginsWithTime = false

  var continuedColumn: Int? { pattern.groupOfRest }

  func makeLocator() -> any LineLocator { PatternLocator(self) }
}

final class PatternLocator: LineLocator {
  private let matcher: PatternMatcher
  private let beginsWithTime: Bool

  init(_ fields: PatternFields) {
    matcher = PatternMatcher(fields.pattern)
    beginsWithTime = fields.beginsWithTime
  }

  func isContinuation(_ line: Line) -> Bool {
    line.isIndented
      || beginsWithTime
        && !KnownLogs.beginsWithTime(
          UnsafeBufferPointer(start: line.bytes + line.start, count: line.end - line.start))
  }

  func locate(
    _ line: Line, upTo last: Int, into fields: UnsafeMutablePointer<ds_field>
  ) -> LineOutcome {
    let bytes = UnsafeBufferPointer(start: line.bytes + line.start, count: line.end - line.start)
    switch matcher.match(bytes) {
    case .match: break
    case .noMatch: return .rejected(.unmatched, at: 0)
    case .tooComplex: return .rejected(.tooComplex, at: 0)
    }
    let slots = matcher.slots
    for group in 0..<slots.count / 2 {
      let (start, end) = (slots[group * 2], slots[group * 2 + 1])
      guard start >= 0, end > start else { continue }
      fields[group] = ds_field(
        start: UInt32(truncatingIfNeeded: line.start + start),
        length: UInt32(truncatingIfNeeded: end - start))
    }
    return .row
  }
}
