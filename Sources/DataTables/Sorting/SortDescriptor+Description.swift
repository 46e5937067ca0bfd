extension SortDescriptor: CustomStringConvertible {
  /// The descriptor as it is typed, without what is the default: `age desc`, `name
  /// caseInsensitive`.
  public var description: String {
    var words = [keyPath.description]
    if direction != .ascending { words.append(direction.rawValue) }
    if comparison != .compare { words.append(comparison.rawValue) }
    return words.joined(separator: " ")
  }
}
