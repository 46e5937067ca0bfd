import Foundation

/// A time zone, which determines where days begin: a fixed offset from GMT, or the rules of a
/// place.
public struct Zone: Hashable, Sendable, CustomStringConvertible {
  private enum Rule: Hashable {
    /// Seconds east of GMT.
    case fixed(Int)
    case place(TimeZone)
  }

  private let rule: Rule

  public static let gmt = Zone(rule: .fixed(0))

  private init(rule: Rule) { self.rule = rule }

  /// Parses `Z`, `GMT`, `UTC`, an offset (`+01:00`, `-0530`, `+01`) or a name of the IANA time zone
  /// database (`Europe/Paris`).
  ///
  /// - Throws: ``TableError/badArgument(_:)`` for anything else.
  public init(parsing text: String) throws(TableError) {
    if ["z", "gmt", "utc"].contains(text.lowercased()) {
      self = .gmt
      return
    }
    // The string is parsed as the offset of a date.
    var date = "1970-01-01T00:00" + text
    let moment = date.withUTF8 { Scalar.moment(UnsafeRawBufferPointer($0)) }
    if let offset = moment?.offset, abs(offset) < 86_400 {
      self.init(rule: .fixed(offset))
    } else if text.contains("/") || TimeZone.knownTimeZoneIdentifiers.contains(text),
      // The list lacks other names of a place, such as Asia/Kolkata.
      let zone = TimeZone(identifier: text)
    {
      self.init(rule: .place(zone))
    } else {
      throw .badArgument(
        "unknown time zone `\(text)`; expected Z, an offset such as -05:30 "
          + "or a place such as Europe/Paris"
      )
    }
  }

  /// `GMT`, `-05:30`, `Europe/Paris`.
  public var description: String {
    switch rule {
    case .fixed(0): return "GMT"
    case .fixed(let offset):
      let minutes = abs(offset) / 60
      func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return (offset < 0 ? "-" : "+") + padded(minutes / 60) + ":" + padded(minutes % 60)
    case .place(let zone): return zone.identifier
    }
  }

  /// Seconds east of GMT.
  /// - Parameter seconds: since 1970-01-01T00:00:00 GMT; the rules of a place change over time.
  public func offset(at seconds: Int) -> Int {
    switch rule {
    case .fixed(let offset): offset
    case .place(let zone):
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }
  }
}
