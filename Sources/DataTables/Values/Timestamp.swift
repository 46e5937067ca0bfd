/// An ISO 8601 date, with or without a time and a zone; it is shown as it was written.
///
/// A timestamp without a zone never shifts; where it meets one with a zone it is read as GMT.
/// Timestamps are equal, and ordered, by time: 2012-11-01 equals 2012-11-01T01:00:00+01:00.
public struct Timestamp: Sendable {
  public let text: String
  /// Seconds since 1970-01-01T00:00:00 in the written zone, which is GMT when none is written.
  public let seconds: Int
  /// 0..<1_000_000_000.
  public let nanoseconds: Int
  /// Seconds east of GMT; nil when no zone is written.
  public let offset: Int?
  public let hasTime: Bool

  /// Seconds since 1970-01-01T00:00:00 GMT.
  public var secondsFromGMT: Int { seconds - (offset ?? 0) }
}

extension Timestamp: Hashable, Comparable {
  public static func == (left: Timestamp, right: Timestamp) -> Bool {
    left.secondsFromGMT == right.secondsFromGMT && left.nanoseconds == right.nanoseconds
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(secondsFromGMT)
    hasher.combine(nanoseconds)
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.secondsFromGMT, left.nanoseconds) < (right.secondsFromGMT, right.nanoseconds)
  }
}
