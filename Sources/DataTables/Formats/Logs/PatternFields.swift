internal import CScan

/// The fields of a line that a regular expression with named groups matches: a group is a field.
struct PatternFields: LineFields {
  let pattern: GroupedPattern

  func makeLocator() -> any LineLocator { PatternLocator(pattern) }
}

final class PatternLocator: LineLocator {
  private let matcher: PatternMatcher

  init(_ pattern: GroupedPattern) { matcher = PatternMatcher(pattern) }

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
