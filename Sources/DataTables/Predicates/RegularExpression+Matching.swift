extension RegularExpression {
  /// Whether the expression matches the text from its beginning to its end.
  ///
  /// - Complexity: O(characters × instructions).
  func matchesWhole(_ text: String) -> Bool {
    let characters = Array(composed(text))
    var states = States(count: program.count)
    var open = [0]
    for position in 0...characters.count {
      states.clear()
      for place in open { enter(place, at: position, of: characters, &states) }
      if position == characters.count { break }
      open = []
      for place in states.places {
        if case .character(let test) = program[place], test.matches(characters[position]) {
          open.append(place + 1)
        }
      }
      if open.isEmpty { return false }
    }
    return states.contains(program.count - 1)
  }

  /// Places in the program, each once.
  private struct States {
    private(set) var places: [Int] = []
    private var marks: [Int]
    private var round = 0

    init(count: Int) { marks = [Int](repeating: 0, count: count) }

    mutating func clear() {
      places.removeAll(keepingCapacity: true)
      round += 1
    }

    mutating func insert(_ place: Int) -> Bool {
      if marks[place] == round { return false }
      marks[place] = round
      places.append(place)
      return true
    }

    func contains(_ place: Int) -> Bool { marks[place] == round }
  }

  /// Adds a place and all that can be reached from it without a character.
  private func enter(
    _ place: Int, at position: Int, of characters: [Character], _ states: inout States
  ) {
    var stack = [place]
    while let place = stack.popLast() {
      guard states.insert(place) else { continue }
      switch program[place] {
      case .split(let first, let second): stack += [second, first]
      case .jump(let target): stack.append(target)
      case .boundary(let boundary):
        if boundary.isAt(position, of: characters) { stack.append(place + 1) }
      case .character, .match: break
      }
    }
  }
}

extension RegularExpression.Boundary {
  fileprivate func isAt(_ position: Int, of characters: [Character]) -> Bool {
    switch self {
    case .start: position == 0
    case .end: position == characters.count
    case .word: Self.isWordBoundary(position, of: characters)
    case .notWord: !Self.isWordBoundary(position, of: characters)
    }
  }

  private static func isWordBoundary(_ position: Int, of characters: [Character]) -> Bool {
    let before = position > 0 && CharacterTest.Kind.word.holds(characters[position - 1])
    let after = position < characters.count && CharacterTest.Kind.word.holds(characters[position])
    return before != after
  }
}
