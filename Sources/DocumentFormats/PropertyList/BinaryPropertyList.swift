import DataTables

/// The objects of a binary property list by number.
///
/// The format: a header of 8 bytes, objects, a table of their offsets, and a trailer of 32 bytes. An
/// object starts with a byte of its kind and length; containers refer to objects by number.
struct BinaryPropertyList {
  /// An object without its content.
  struct Object {
    /// The upper half of the first byte.
    var kind: UInt8
    /// The lower half of the first byte.
    var detail: UInt8
    /// The place of the content, and the number of its bytes, characters, elements or pairs.
    var start: Int
    var count: Int
  }

  let bytes: [UInt8]
  private let offsetSize: Int
  let referenceSize: Int
  let count: Int
  let top: Int
  private let offsets: Int

  /// - Throws: ``TableError/format(_:at:)`` for a malformed trailer.
  init(_ bytes: [UInt8]) throws(TableError) {
    self.bytes = bytes
    guard bytes.count >= 40 else { throw Self.malformed("it ends early") }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw Self.malformed("its trailer is not valid")
    }
    count = try Self.number(in: bytes, at: trailer + 8, 8)
    top = try Self.number(in: bytes, at: trailer + 16, 8)
    offsets = try Self.number(in: bytes, at: trailer + 24, 8)
    guard count > 0, top < count, offsets >= 8, offsets < trailer,
      count <= (trailer - offsets) / offsetSize
    else { throw Self.malformed("its trailer is not valid") }
  }

  /// - Throws: ``TableError/format(_:at:)`` for an object that is not within the file.
  func object(_ number: Int) throws(TableError) -> Object {
    let start = try self.number(at: offsets + number * offsetSize, offsetSize)
    guard start >= 8, start < offsets else {
      throw Self.malformed("object \(number) is not in the file")
    }
    let kind = bytes[start] >> 4
    let detail = bytes[start] & 0xF
    var object = Object(kind: kind, detail: detail, start: start + 1, count: Int(detail))
    // The kinds with a length.
    guard [0x4, 0x5, 0x6, 0xA, 0xC, 0xD].contains(kind) else {
      object.count = 0
      return object
    }
    if detail == 0xF {
      guard object.start < offsets, bytes[object.start] >> 4 == 1, bytes[object.start] & 0xF <= 3
      else { throw Self.malformed("the length of object \(number) is not valid") }
      let size = 1 << Int(bytes[object.start] & 0xF)
      object.count = try self.number(at: object.start + 1, size)
      object.start += 1 + size
    }
    let unit =
      switch kind {
      case 0x4, 0x5: 1
      case 0x6: 2
      case 0xD: 2 * referenceSize
      default: referenceSize
      }
    guard object.start <= offsets, object.count <= (offsets - object.start) / unit else {
      throw Self.malformed("object \(number) is longer than the file")
    }
    return object
  }

  /// The number of references of an object: 0 unless it is a container.
  func references(of object: Object) -> Int {
    switch object.kind {
    case 0xA, 0xC: object.count
    case 0xD: object.count * 2
    default: 0
    }
  }

  /// The number of the object that a container refers to.
  func reference(_ index: Int, of object: Object) throws(TableError) -> Int {
    let number = try number(at: object.start + index * referenceSize, referenceSize)
    guard number < count else { throw Self.malformed("it refers to a missing object") }
    return number
  }

  /// A number of up to eight bytes, the highest byte first.
  func number(at start: Int, _ size: Int) throws(TableError) -> Int {
    try Self.number(in: bytes, at: start, size)
  }

  private static func number(
    in bytes: [UInt8], at start: Int, _ size: Int
  ) throws(TableError) -> Int {
    guard start >= 0, start <= bytes.count - size else { throw malformed("it ends early") }
    var number: UInt64 = 0
    for byte in bytes[start..<start + size] { number = number << 8 | UInt64(byte) }
    // So that sums and products of two numbers fit.
    guard number < 1 << 40 else { throw malformed("a number is too large") }
    return Int(number)
  }

  static func malformed(_ reason: String) -> TableError {
    .format("malformed binary property list: \(reason)", at: nil)
  }
}
