extension Moment {
  /// Names of zones in mail headers (RFC 822), in hours from GMT. Elsewhere, these letters also mean
  /// other zones.
  private static let mailZones = [
    "gmt": 0, "ut": 0, "utc": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7,
  ]

  /// The date of a mail header (RFC 822, RFC 5322), which RSS uses: `Sat, 07 Sep 2002 09:42:31 GMT`;
  /// nil for any other text.
  package init?(mailDate text: String) {
    // The name of the day may be abbreviated in any way.
    let date = text.split(separator: ",", maxSplits: 1).last ?? ""
    guard date.contains(where: \.isLetter) else { return nil }
    var words = date.split(whereSeparator: \.isWhitespace)
    let zone = words.last.flatMap { Self.mailZones[$0.lowercased()] }
    if zone != nil { words.removeLast() }
    var written = words.joined(separator: " ")
    let moment = written.withUTF8 {
      WrittenDate(UnsafeRawBufferPointer($0))?.moment(.dayMonthYear)
    }
    guard var moment, zone == nil || moment.hasTime && moment.offset == nil else { return nil }
    if let zone { moment.offset = zone * 3600 }
    self = moment
  }
}
