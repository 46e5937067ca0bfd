extension ArraySlice {
  /// Removes and returns the first elements that satisfy a condition.
  mutating func popPrefix(while holds: (Element) -> Bool) -> ArraySlice {
    let first = prefix(while: holds)
    self = dropFirst(first.count)
    return first
  }
}
