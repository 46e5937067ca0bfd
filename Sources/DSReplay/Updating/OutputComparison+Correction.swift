extension OutputComparison {
  /// The changes of the script that make what came what is expected.
  /// - Parameter captures: with what holes took; those of mended lines are added.
  /// - Returns: nil when lines of a file and of the script together say what is expected.
  func correction(_ captures: inout Captures) -> Correction? {
    var rewriting = LineRewriting(self)
    if let file = expectation.wholeFile {
      rewriting.correction.file = file
      rewriting.correction.content = transcription.output
      rewriting.correction.changedLines += Self.differences(output)
    } else {
      guard rewriting.rewrite(output, expectation.output, transcription.output, .output) else {
        return nil
      }
    }
    _ = rewriting.rewrite(errors, expectation.errors, transcription.errors, .error)
    captures = rewriting.captures
    return rewriting.finished()
  }

  private static func differences(_ steps: [Alignment.Step]) -> Int {
    Alignment.hunks(steps).reduce(0) { count, hunk in
      if case .different(let missing, let extra) = hunk {
        return count + max(missing.count, extra.count)
      }
      return count
    }
  }
}
