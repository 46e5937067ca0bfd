@testable import DataTables

/// The obvious way to find the groups of a pattern: try the preferred choice, then the others. An
/// iteration that reads nothing fails.
struct BacktrackingPattern {
  typealias Groups = [String: Range<Int>]

  private let node: RegularExpression.Node
  private let characters: [Character]

  init(_ pattern: String, on text: String) throws {
    var parser = RegularExpressionParser(pattern, ignoresCase: false)
    node = try parser.parse()
    characters = text.unicodeScalars.map { Character($0) }
  }

  /// The groups as ranges of characters; nil if the whole text does not match.
  func match() -> Groups? {
    match(node, 0, [:]) { position, groups in position == characters.count ? groups : nil }
  }

  private func match(
    _ node: RegularExpression.Node, _ position: Int, _ groups: Groups,
    _ next: (Int, Groups) -> Groups?
  ) -> Groups? {
    switch node {
    case .empty: return next(position, groups)
    case .character(let test):
      guard position < characters.count, test.matches(characters[position]) else { return nil }
      return next(position + 1, groups)
    case .boundary(let boundary): return isAt(boundary, position) ? next(position, groups) : nil
    case .sequence(let nodes): return match(nodes[...], position, groups, next)
    case .alternatives(let nodes):
      for node in nodes {
        if let found = match(node, position, groups, next) { return found }
      }
      return nil
    case .group(let name, let node):
      return match(node, position, groups) { end, groups in
        next(end, groups.merging([name: position..<end]) { $1 })
      }
    case .repetition(let node, let minimum, let maximum, let isLazy):
      return repetition(node, minimum, maximum, isLazy, position, groups, next)
    }
  }

  private func match(
    _ nodes: ArraySlice<RegularExpression.Node>, _ position: Int, _ groups: Groups,
    _ next: (Int, Groups) -> Groups?
  ) -> Groups? {
    guard let first = nodes.first else { return next(position, groups) }
    return match(first, position, groups) { match(nodes.dropFirst(), $0, $1, next) }
  }

  private func repetition(
    _ node: RegularExpression.Node, _ minimum: Int, _ maximum: Int?, _ isLazy: Bool,
    _ position: Int, _ groups: Groups, _ next: (Int, Groups) -> Groups?
  ) -> Groups? {
    if minimum > 0 {
      return match(node, position, groups) {
        repetition(node, minimum - 1, maximum.map { $0 - 1 }, isLazy, $0, $1, next)
      }
    }
    func again() -> Groups? {
      if maximum == 0 { return nil }
      return match(node, position, groups) { end, groups in
        if maximum == nil, end == position { return nil }
        return repetition(node, 0, maximum.map { $0 - 1 }, isLazy, end, groups, next)
      }
    }
    return isLazy ? next(position, groups) ?? again() : again() ?? next(position, groups)
  }

  private func isAt(_ boundary: RegularExpression.Boundary, _ position: Int) -> Bool {
    func isWord(_ index: Int) -> Bool {
      characters.indices.contains(index) && CharacterTest(kinds: [.word]).matches(characters[index])
    }
    switch boundary {
    case .start: return position == 0
    case .end: return position == characters.count
    case .word: return isWord(position - 1) != isWord(position)
    case .notWord: return isWord(position - 1) == isWord(position)
    }
  }
}

extension BacktrackingPattern {
  /// Whether an expression that can match nothing is repeated without a limit. Which iteration then
  /// takes a character depends on the method.
  var repeatsNothing: Bool { Self.repeatsNothing(node) }

  private static func repeatsNothing(_ node: RegularExpression.Node) -> Bool {
    switch node {
    case .empty, .character, .boundary: false
    case .sequence(let nodes), .alternatives(let nodes): nodes.contains(where: repeatsNothing)
    case .group(_, let node): repeatsNothing(node)
    case .repetition(let node, _, let maximum, _):
      maximum == nil && canBeEmpty(node) || repeatsNothing(node)
    }
  }

  private static func canBeEmpty(_ node: RegularExpression.Node) -> Bool {
    switch node {
    case .empty, .boundary: true
    case .character: false
    case .sequence(let nodes): nodes.allSatisfy(canBeEmpty)
    case .alternatives(let nodes): nodes.contains(where: canBeEmpty)
    case .group(_, let node): canBeEmpty(node)
    case .repetition(let node, let minimum, _, _): minimum == 0 || canBeEmpty(node)
    }
  }
}
