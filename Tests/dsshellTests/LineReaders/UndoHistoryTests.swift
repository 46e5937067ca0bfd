import TestSupport
import Testing

@testable import dsshell

@Suite struct UndoHistoryTests {
  private typealias State = UndoHistory.State

  private func history(_ lines: [String]) -> UndoHistory {
    var history = UndoHistory()
    for line in lines { history.record(State(text: line, cursor: line.utf8.count)) }
    return history
  }

  @Test func charactersTypedInARowAreUndoneTogether() {
    var history = history(["a", "ab", "abé", "load foods.csv"])
    #expect(history.undo() == State(text: "abé", cursor: 4))
    #expect(history.undo() == State(text: "", cursor: 0))
    #expect(history.undo() == nil)
  }

  @Test func aChangeAfterAnUndoIsUndone() {
    var history = history(["a", "x y", "x y z w"])
    _ = history.undo()
    history.record(State(text: "x y!", cursor: 4))
    #expect(history.undo()?.text == "x y")
    #expect(history.undo()?.text == "a")
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func undoGoesBackThroughStatesThatWere(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var history = UndoHistory()
    var states = [State(text: "", cursor: 0)]
    for _ in 0..<100 {
      let characters = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        "aé漢".randomElement(using: &random) ?? "a"
      }
      let text = String(characters)
      let before = characters.prefix(Int.random(in: 0...characters.count, using: &random))
      let state = State(text: text, cursor: String(before).utf8.count)
      history.record(state)
      states.append(state)
    }
    while let state = history.undo() {
      let index = states.lastIndex { $0.text == state.text }
      #expect(index != nil)
      states.removeSubrange(((index ?? 0) + 1)...)
    }
    #expect(states.last?.text == "")
  }

  @Test func movesOfTheCursorMakeNoState() {
    var history = history(["abc def"])
    history.record(State(text: "abc def", cursor: 2))
    history.record(State(text: "ab-c def", cursor: 3))
    #expect(history.undo() == State(text: "abc def", cursor: 2))
  }
}
