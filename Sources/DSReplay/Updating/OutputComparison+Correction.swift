extension OutputComparison {
  /// The changes that make what came what is expected, in the script and in the files beside it.
  /// - Parameter captures: with what holes took; those of mended lines are added.
  func correction(_ captures: inout Captures) -> Correction {
    var rewriting = LineRewriting(self)
    rewriting.rewrite(
      output, expectation.output, captured.output, .output,
      from: expectation.start(of: command))
    // Lines of standard error come after all others where none is there yet.
    let last = expectation.errors.first?.line.map { $0 - 1 } ?? command.lastLine
    rewriting.rewrite(
      errors, expectation.errors, captured.errors, .error, from: .script(last))
    captures = rewriting.captures
    return rewriting.finished()
  }
}
