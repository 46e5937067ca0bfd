import Synchronization

/// The automaton of a pattern that is matched with one text at a time.
final class SharedAutomaton: Sendable {
  private struct State {
    var automaton: PatternAutomaton?
    var isUsed = false
  }
  private let state = Mutex(State())

  /// Whether the expression, which is always the same, matches the whole text; nil for the first
  /// text, because an automaton for one text takes longer than the text, and while another thread
  /// uses the automaton.
  func matches(
    _ text: String, _ expression: RegularExpression, _ options: ComparisonOperator.Options
  ) -> Bool? {
    state.withLockIfAvailable { state -> Bool? in
      guard state.isUsed else {
        state.isUsed = true
        return nil
      }
      // Taken out, so that it is not copied.
      var automaton = state.automaton ?? PatternAutomaton(expression, options)
      state.automaton = nil
      defer { state.automaton = automaton }
      var text = text
      switch text.withUTF8({ automaton.match(UnsafeRawBufferPointer($0)) }) {
      case .match: return true
      case .noMatch: return false
      case .notPlain: return automaton.matches(options.fold(text))
      }
    } ?? nil
  }
}
