extension String {
  /// The text if it has at most `count` scalars, else so many of them and a `…`.
  ///
  /// - Complexity: O(`count`).
  package func cut(to count: Int) -> String {
    // Counted in scalars: a character may have any number of marks.
    let scalars = unicodeScalars
    guard
      let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return self }
    return String(UnicodeScalarView(scalars[..<end])) + "…"
  }
}
