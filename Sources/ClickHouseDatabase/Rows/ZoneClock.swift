import DataTables

/// Dates of a zone from the wall times that the server prints.
///
/// A wall time that the zone has twice, when its clocks are set back, counts as the first one: the
/// server prints both alike. `toTimeZone(column, 'UTC')` in a statement distinguishes them.
struct ZoneClock {
  private let zone: Zone
  /// The offset of the last wall time, with the range of wall times, in seconds, that have it.
  private var known: (range: Range<Int>, offset: Int, suffix: [UInt8]?)?

  init(_ zone: Zone) { self.zone = zone }

  /// No zone changes its offset twice within this time, in seconds.
  private static let day = 86_400

  /// The seconds east of GMT at a wall time, in seconds since 1970-01-01T00:00:00.
  func offset(atWallTime seconds: Int) -> Int {
    let before = zone.offset(at: seconds - Self.day)
    let after = zone.offset(at: seconds + Self.day)
    if before == after { return before }
    return zone.offset(at: seconds - before) == before ? before : after
  }

  /// The date of a cell: `2020-01-02 03:04:05`, with a fraction if the column has one; zeros are
  /// the first second of 1970 GMT, as old servers print it. nil for another text.
  mutating func date(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    guard bytes.count >= 19, bytes[10] == UInt8(ascii: " ") else { return nil }
    if bytes[0] == UInt8(ascii: "0"), bytes.starts(with: Self.zeros) {
      let offset = zone.offset(at: 0)
      return Self.date(Moment(seconds: offset, nanoseconds: 0, offset: offset, hasTime: true))
    }
    guard var moment = Scalar.moment(bytes), moment.offset == nil else { return nil }
    if known?.range.contains(moment.seconds) != true { learn(around: moment.seconds) }
    guard let known else { return nil }
    moment.offset = known.offset
    guard let suffix = known.suffix else { return Self.date(moment) }
    let count = bytes.count
    let text = String(unsafeUninitializedCapacity: count + suffix.count) { text in
      _ = text.update(fromContentsOf: bytes)
      text[10] = UInt8(ascii: "T")
      for (index, byte) in suffix.enumerated() { text[count + index] = byte }
      return count + suffix.count
    }
    return Timestamp(moment, text: text)
  }

  private static let zeros = Array("0000-00-00 00:00:00".utf8)

  private static func date(_ moment: Moment) -> Timestamp {
    var moment = moment
    // An offset of seconds, as before standard time, has no text.
    if let offset = moment.offset, offset % 60 != 0 {
      moment.seconds -= offset
      moment.offset = 0
    }
    return Timestamp(moment, text: moment.isoText)
  }

  /// Sets ``known`` for the quarter of an hour of a wall time; zones change at such quarters.
  private mutating func learn(around seconds: Int) {
    let start = Gregorian.floorDivide(seconds, 900) * 900
    let offset = offset(atWallTime: seconds)
    var suffix: [UInt8]?
    if offset % 60 == 0 {
      let midnight = Moment(seconds: 0, nanoseconds: 0, offset: offset, hasTime: true)
      suffix = Array(midnight.isoText.utf8.dropFirst("1970-01-01T00:00:00".utf8.count))
    }
    // The zone changed its offset within a quarter only in the past centuries.
    let isSteady = [start, start + 899].allSatisfy { self.offset(atWallTime: $0) == offset }
    known = (isSteady ? start..<start + 900 : seconds..<seconds + 1, offset, suffix)
  }
}
