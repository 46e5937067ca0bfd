extension SectionSettings {
  /// The seconds east of GMT that a zone stands for: `Z`, `GMT`, `UTC`, `+01:00`, `-0530`, `+01`.
  ///
  /// - Throws: ``TableError/badArgument(_:)`` for anything else.
  public static func zone(parsing text: String) throws(TableError) -> Int {
    if ["z", "gmt", "utc"].contains(text.lowercased()) { return 0 }
    // As a date has it behind its time.
    var date = "1970-01-01T00:00" + text
    let moment = date.withUTF8 { Scalar.moment(UnsafeRawBufferPointer($0)) }
    if let offset = moment?.offset, abs(offset) < 86_400 { return offset }
    throw .badArgument("`\(text)` is no zone; one is written +01:00, -05:30 or Z")
  }
}
