import DataTables

/// What `#% clock` sets the clock of a script to.
enum ClockSetting: Sendable, Equatable {
  /// The virtual clock, from a date on: seconds since 1970.
  case date(Int)
  /// The virtual clock, from where it stands.
  case virtual
  /// The machine's clock.
  case real

  static let words = ["real", "virtual"]

  /// - Parameter text: an ISO 8601 date, read as GMT where it has no zone, or one of ``words``.
  init?(_ text: String) {
    switch text {
    case "real": self = .real
    case "virtual": self = .virtual
    default:
      guard case .date(let date) = Value(literal: text) else { return nil }
      self = .date(date.secondsFromGMT)
    }
  }
}
