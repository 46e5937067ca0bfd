extension Expression {
  /// The names in an expression that are read where it stands: not those inside of commands.
  ///
  /// - Complexity: O(parts); the depth is that of the brackets, which the parser bounds.
  var names: [Word] {
    switch kind {
    case .literal, .command: []
    case .name(let name): [Word(text: name, span: span)]
    case .list(let parts), .set(let parts), .and(let parts), .or(let parts):
      parts.flatMap(\.names)
    case .record(let pairs): pairs.flatMap(\.value.names)
    case .path(let base, let steps): base.names(before: steps)
    case .not(let operand): operand.names
    case .comparison(let comparison): comparison.left.names + comparison.right.names
    }
  }

  /// The key after `SELF.` is read as a name is.
  private func names(before steps: [PathStep]) -> [Word] {
    guard case .name(let name) = kind, name.lowercased() == "self" else { return names }
    guard let step = steps.first, case .key(let key) = step.kind else { return [] }
    return [Word(text: key, span: step.span)]
  }
}
