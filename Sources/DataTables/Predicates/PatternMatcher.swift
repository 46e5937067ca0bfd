/// Finds the groups of a ``GroupedPattern`` in lines, in time that is linear in the line.
///
/// As long as each character leaves one way through the expression, one pass over the line follows
/// it. After a line with several possible ways, each line takes two passes: the first, from the end
/// to the start, finds for each position the instructions from which the rest of the line matches;
/// the second follows the preferred way among those. Both passes look their steps up in tables that
/// are filled when a step is first taken, so a step costs O(expression) at most and usually O(1).
/// (After Frisch and Cardelli, "Greedy regular expression matching", 2004.)
///
/// Not thread-safe.
final class PatternMatcher {
  enum Outcome { case match, noMatch, tooComplex }

  /// After a match, the start and the end of each group as indexes of bytes; -1 for groups that do
  /// not take part.
  let slots: UnsafeMutableBufferPointer<Int>

  private let pattern: GroupedPattern
  private var alphabet: PatternAlphabet
  private var onePass: OnePassTable
  private var twoPasses: TwoPassTable
  private var isAmbiguous = false

  init(_ pattern: GroupedPattern) {
    self.pattern = pattern
    alphabet = pattern.alphabet
    onePass = OnePassTable(pattern)
    twoPasses = TwoPassTable(pattern)
    slots = .allocate(capacity: pattern.names.count * 2)
    slots.initialize(repeating: -1)
  }

  deinit { slots.deallocate() }

  /// Matches the bytes of a line, which are UTF-8.
  /// - Complexity: O(bytes × instructions) at most.
  func match(_ bytes: UnsafeBufferPointer<UInt8>) -> Outcome {
    if !isAmbiguous {
      switch onePass.match(bytes, &alphabet, slots) {
      case .match: return .match
      case .noMatch: return .noMatch
      case .ambiguous: isAmbiguous = true
      case .tooManySymbols: return retry(bytes)
      }
    }
    if let found = twoPasses.match(bytes, &alphabet, slots) { return found ? .match : .noMatch }
    return retry(bytes)
  }

  /// Matches a line with empty tables, because the tables became too large.
  private func retry(_ bytes: UnsafeBufferPointer<UInt8>) -> Outcome {
    alphabet = pattern.alphabet
    onePass = OnePassTable(pattern)
    twoPasses = TwoPassTable(pattern)
    return twoPasses.match(bytes, &alphabet, slots).map { $0 ? .match : .noMatch } ?? .tooComplex
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The character that starts at an index, outside of ASCII, and its length; a replacement
  /// character for bytes that are not UTF-8.
  func scalar(at index: Int) -> (scalar: Unicode.Scalar, length: Int) {
    let lead = self[index]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    guard length > 1, index + length <= count else { return ("\u{FFFD}", 1) }
    var value = UInt32(lead) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    for next in index + 1..<index + length {
      guard self[next] & 0xC0 == 0x80 else { return ("\u{FFFD}", 1) }
      value = value << 6 | UInt32(self[next] & 0x3F)
    }
    return Unicode.Scalar(value).map { ($0, length) } ?? ("\u{FFFD}", 1)
  }
}
