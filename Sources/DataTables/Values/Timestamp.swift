/// An ISO 8601 date, with or without a time and a zone. It is displayed as it was written.
///
/// A timestamp without a zone never shifts to another zone; compared with one that has a zone, it
/// is read as GMT. Timestamps compare by their points in time: 2012-11-01 equals
/// 2012-11-01T01:00:00+01:00.
public struct Timestamp: Sendable {
  public let text: String
  /// Seconds since 1970-01-01T00:00:00 in the written zone, GMT if none is written.
  public let seconds: Int
  /// 0..<1_000_000_000.
  public let nanoseconds: Int
  /// Seconds east of GMT; nil if no zone is written.
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

/// The time of an ISO 8601 date, without its text.
public struct Moment: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00 in the written zone.
  public var seconds: Int
  /// 0..<1_000_000_000.
  public var nanoseconds: Int
  /// Seconds east of GMT; nil if no zone is written.
  public var offset: Int?
  public var hasTime: Bool

  package init(seconds: Int, nanoseconds: Int, offset: Int?, hasTime: Bool) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    self.offset = offset
    self.hasTime = hasTime
  }

  /// Ticks of 100 nanoseconds since 1970-01-01 GMT, ascending with time; nil for the few times
  /// between two ticks. Nanoseconds of the years 0 to 9999 would not fit in 64 bits.
  public var ticks: Int? {
    guard nanoseconds % 100 == 0 else { return nil }
    return (seconds - (offset ?? 0)) * 10_000_000 + nanoseconds / 100
  }
}

extension Timestamp {
  /// - Parameter text: an ISO 8601 text of the moment.
  package init(_ moment: Moment, text: String) {
    self.init(
      text: text, seconds: moment.seconds, nanoseconds: moment.nanoseconds, offset: moment.offset,
      hasTime: moment.hasTime)
  }

  /// The date or time that a string denotes in ISO form; nil for any other string.
  init?(iso text: String) {
    var text = text
    guard let date = text.withUTF8({ Scalar.date(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = date
  }

  /// The text if it is in ISO form, else the date in that form.
  package var isoText: String {
    Timestamp(iso: text) == nil ? moment.isoText : text
  }

  var moment: Moment {
    Moment(seconds: seconds, nanoseconds: nanoseconds, offset: offset, hasTime: hasTime)
  }
}

extension Moment {
  /// The ISO 8601 text, with the zone as an offset from GMT if it is known.
  package var isoText: String {
    let time = CivilTime(seconds: seconds)
    let day = [time.year.padded(to: 4), time.month.padded(to: 2), time.day.padded(to: 2)]
      .joined(separator: "-")
    guard hasTime else { return day }
    let clock = [time.hour.padded(to: 2), time.minute.padded(to: 2), time.second.padded(to: 2)]
    let fraction =
      nanoseconds == 0
      ? ""
      : nanoseconds % 1_000_000 == 0
        ? "." + (nanoseconds / 1_000_000).padded(to: 3) : "." + nanoseconds.padded(to: 9)
    return day + "T" + clock.joined(separator: ":") + fraction + zoneText
  }

  /// `Z`, `+05:30`; "" without a zone.
  private var zoneText: String {
    guard let offset else { return "" }
    if offset == 0 { return "Z" }
    let minutes = Int(offset.magnitude) / 60
    return (offset < 0 ? "-" : "+") + (minutes / 60).padded(to: 2) + ":"
      + (minutes % 60).padded(to: 2)
  }
}
