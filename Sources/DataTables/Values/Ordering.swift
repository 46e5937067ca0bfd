/// How one value stands to another in an ascending order.
public enum Ordering: Int, Sendable {
  case before = -1
  case same = 0
  case after = 1

  init<Element: Comparable>(_ left: Element, _ right: Element) {
    self = left < right ? .before : right < left ? .after : .same
  }

  /// The order in the other direction.
  public var reversed: Ordering {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }
}
