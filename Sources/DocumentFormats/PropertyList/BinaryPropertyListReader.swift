import DataTables

/// The values of a binary property list that ``BinaryPropertyListCheck`` has accepted.
struct BinaryPropertyListReader {
  private let list: BinaryPropertyList
  private let cancellation: Cancellation
  private(set) var duplicates = CountedFinding(.duplicateKeys)
  private var values = 0
  private var shapes = RecordShapes()
  /// Strings by the numbers of their objects: keys mostly refer to the same object.
  private var strings: [Int: String] = [:]

  init(_ list: BinaryPropertyList, cancellation: Cancellation) {
    self.list = list
    self.cancellation = cancellation
  }

  /// The value of an object, which has a limited depth.
  /// - Throws: ``TableError``.
  mutating func value(_ number: Int) throws(TableError) -> Value {
    values += 1
    if values & 0xFFF == 0 { try cancellation.check() }
    let object = try list.object(number)
    switch object.kind {
    case 0x0: return try constant(object)
    case 0x1: return try integer(object)
    case 0x2: return try real(object)
    case 0x3: return try date(object)
    case 0x4: return .data(Array(list.bytes[object.start..<object.start + object.count]))
    case 0x5, 0x6: return .string(string(object))
    // A reference of an archive to one of its objects, as XML shows it.
    case 0x8:
      let size = Int(object.detail) + 1
      guard size <= 8 else { throw unknown(object) }
      return .record(Record([("CF$UID", .integer(try list.number(at: object.start, size)))]))
    case 0xA, 0xC:
      var elements: [Value] = []
      elements.reserveCapacity(object.count)
      for index in 0..<object.count {
        elements.append(try value(try list.reference(index, of: object)))
      }
      return .array(elements)
    case 0xD: return .record(try record(object))
    default: throw unknown(object)
    }
  }

  private func constant(_ object: BinaryPropertyList.Object) throws(TableError) -> Value {
    switch object.detail {
    case 0: return .null
    case 8: return false
    case 9: return true
    default: throw unknown(object)
    }
  }

  /// The bits of a number of 1, 2, 4 or 8 bytes.
  private func bits(_ object: BinaryPropertyList.Object) throws(TableError) -> UInt64 {
    let size = 1 << Int(object.detail)
    guard size <= 8, object.start + size <= list.bytes.count else { throw unknown(object) }
    return list.bytes[object.start..<object.start + size].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Integers of 1, 2 and 4 bytes have no sign; those of 16 bytes hold numbers above 64 bits with
  /// one.
  private func integer(_ object: BinaryPropertyList.Object) throws(TableError) -> Value {
    if object.detail == 4, object.start + 16 <= list.bytes.count {
      let halves = (0..<2).map { half in
        list.bytes[object.start + half * 8..<object.start + half * 8 + 8]
          .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      let number = Int128(Int64(bitPattern: halves[0])) << 64 | Int128(halves[1])
      return Value(literal: String(number))
    }
    return .integer(Int(Int64(bitPattern: try bits(object))))
  }

  private func real(_ object: BinaryPropertyList.Object) throws(TableError) -> Value {
    let bits = try bits(object)
    switch object.detail {
    case 2:
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      // The shortest text of the number as it is stored.
      return number.isFinite ? Value(literal: "\(number)") : .real(Real(Double(number)))
    case 3:
      let number = Double(bitPattern: bits)
      return .real(Real(number))
    default: throw unknown(object)
    }
  }

  /// Seconds since 2001-01-01 GMT, to the millisecond.
  private func date(_ object: BinaryPropertyList.Object) throws(TableError) -> Value {
    guard object.detail == 3 else { throw unknown(object) }
    let time = (Double(bitPattern: try bits(object)) * 1000).rounded()
    // Years of four digits: `distantPast` of Foundation is in the year 0.
    guard time >= -63_145_526_400_000, time < 252_455_616_000_000 else {
      throw BinaryPropertyList.malformed(
        "the date at byte \(object.start - 1) is not in the years 0 to 9999")
    }
    let milliseconds = Int(time) + 978_307_200_000
    let fraction = ((milliseconds % 1000) + 1000) % 1000
    let moment = Moment(
      seconds: (milliseconds - fraction) / 1000, nanoseconds: fraction * 1_000_000, offset: 0,
      hasTime: true)
    return Value(literal: moment.isoText)
  }

  private func string(_ object: BinaryPropertyList.Object) -> String {
    if object.kind == 0x5 {
      return String(
        decoding: list.bytes[object.start..<object.start + object.count], as: UTF8.self)
    }
    let units = (0..<object.count).map { index in
      let place = object.start + index * 2
      return UInt16(list.bytes[place]) << 8 | UInt16(list.bytes[place + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func record(_ object: BinaryPropertyList.Object) throws(TableError) -> Record {
    var keys: [String] = []
    var values: [Value] = []
    keys.reserveCapacity(object.count)
    values.reserveCapacity(object.count)
    for index in 0..<object.count {
      keys.append(try key(try list.reference(index, of: object)))
    }
    for index in object.count..<object.count * 2 {
      values.append(try value(try list.reference(index, of: object)))
    }
    let (record, hasDuplicate) = shapes.record(repeating: keys, values)
    if hasDuplicate { duplicates.note(line: nil) }
    return record
  }

  private mutating func key(_ number: Int) throws(TableError) -> String {
    if let string = strings[number] { return string }
    let object = try list.object(number)
    guard object.kind == 0x5 || object.kind == 0x6 else {
      throw BinaryPropertyList.malformed("a key is not a string")
    }
    let string = string(object)
    if strings.count < 4_096 { strings[number] = string }
    return string
  }

  private func unknown(_ object: BinaryPropertyList.Object) -> TableError {
    BinaryPropertyList.malformed("byte \(object.start - 1) does not start a value")
  }
}
