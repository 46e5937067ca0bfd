import DataTables

/// Reads the cells of `TabSeparated` as values.
///
/// - Strings that are not UTF-8 are data: a replacement of their bytes would lose them.
/// - A `FixedString` keeps the zeros at its end.
/// - The first day of 1970 is printed as zeros by old servers.
struct CellReader {
  /// The zone of columns without one.
  private let zone: Zone
  private var clocks: [String?: ZoneClock] = [:]

  init(zone: Zone) { self.zone = zone }

  /// - Throws: ``MalformedCell``.
  mutating func value(
    of bytes: UnsafeRawBufferPointer, as type: ColumnType
  ) throws(MalformedCell) -> Value {
    if bytes.count == 2, bytes[0] == .backslash, bytes[1] == UInt8(ascii: "N") { return .null }
    switch type {
    case .string, .other:
      guard bytes.contains(.backslash) else { return Self.string(bytes) }
      return try TabSeparated.unescaped(bytes).withUnsafeBytes { Self.string($0) }
    case .array, .tuple:
      var cursor = NestedCells(bytes: bytes)
      let value = try cursor.value(type, reader: &self)
      guard cursor.isAtEnd else { throw MalformedCell() }
      return value
    case .number, .bool, .date, .dateTime, .nothing: return try value(ofPlain: bytes, as: type)
    }
  }

  /// The value of a text without escapes.
  mutating func value(
    ofPlain bytes: UnsafeRawBufferPointer, as type: ColumnType
  ) throws(MalformedCell) -> Value {
    switch type {
    case .number:
      if let value = Scalar.number(bytes) { return value }
      return try Self.unusualNumber(bytes)
    case .bool:
      guard let value = Scalar.bool(bytes) else { throw MalformedCell() }
      return .bool(value)
    case .date:
      if let date = Scalar.date(bytes) { return .date(date) }
      guard bytes.elementsEqual("0000-00-00".utf8) else { throw MalformedCell() }
      let day = Moment(seconds: 0, nanoseconds: 0, offset: nil, hasTime: false)
      return .date(Timestamp(day, text: day.isoText))
    case .dateTime(let name):
      guard let date = clocks[name]?.date(bytes) else { return try dateAfterOpening(bytes, name) }
      return .date(date)
    case .string, .other: return Self.string(bytes)
    case .array, .tuple, .nothing: throw MalformedCell()
    }
  }

  /// The date of a cell, with the clock of its zone if that is new.
  private mutating func dateAfterOpening(
    _ bytes: UnsafeRawBufferPointer, _ name: String?
  ) throws(MalformedCell) -> Value {
    if clocks[name] == nil {
      var zone = zone
      if let name {
        do { zone = try Zone(server: name) } catch { throw MalformedCell() }
      }
      clocks[name] = ZoneClock(zone)
    }
    guard let date = clocks[name]?.date(bytes) else { throw MalformedCell() }
    return .date(date)
  }

  /// A number that JSON does not have.
  private static func unusualNumber(
    _ bytes: UnsafeRawBufferPointer
  ) throws(MalformedCell) -> Value {
    switch String(decoding: bytes, as: UTF8.self).lowercased() {
    case "nan", "-nan": return .real(Real(.nan))
    case "inf", "+inf": return .real(Real(.infinity))
    case "-inf": return .real(Real(-.infinity))
    default: throw MalformedCell()
    }
  }

  static func string(_ bytes: UnsafeRawBufferPointer) -> Value {
    if let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
    return .data(Array(bytes))
  }
}

extension Zone {
  /// The zone that the server names: `Europe/Paris`, `Etc/UTC`, `UTC`.
  init(server name: String) throws(TableError) {
    let isGMT = ["Etc/UTC", "Etc/GMT", "Etc/UCT", "Universal", "Zulu", "UCT", "Etc/Zulu"]
    try self.init(parsing: isGMT.contains(name) ? "UTC" : name)
  }
}
