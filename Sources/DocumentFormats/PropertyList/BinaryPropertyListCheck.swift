import DataTables

/// Checks the nesting of a binary property list before Foundation reads it, which recurses without a
/// limit and copies an object for each reference to it.
///
/// The format: a header of 8 bytes, objects, a table of their offsets, and a trailer of 32 bytes. An
/// object starts with a byte of its kind and length; containers refer to objects by number.
struct BinaryPropertyListCheck {
  private let bytes: [UInt8]
  private let limits: ReadLimits
  private var offsetSize = 0
  private var referenceSize = 0
  private var objects = 0
  private var top = 0
  private var offsets = 0

  /// The maximum number of values, counting an object once for each reference.
  private static let maxValues = 1 << 24

  init(_ bytes: [UInt8], limits: ReadLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// - Throws: ``TableError``.
  mutating func check() throws(TableError) {
    try readTrailer()
    /// The depth and the number of values of each object; nil before its end.
    var sizes = [(depth: Int, values: Int)?](repeating: nil, count: objects)
    var isOpen = [Bool](repeating: false, count: objects)
    var stack: [(object: Int, next: Int, depth: Int, values: Int)] = []
    stack.append((top, 0, 1, 1))
    isOpen[top] = true
    while var frame = stack.popLast() {
      let children = try children(of: frame.object)
      var isComplete = true
      while frame.next < children.count {
        let child = try number(at: children.start + frame.next * referenceSize, referenceSize)
        guard child < objects else {
          throw malformed("object \(frame.object) refers to a missing one")
        }
        guard let size = sizes[child] else {
          if isOpen[child] { throw malformed("object \(child) contains itself") }
          guard stack.count < limits.depth else { throw tooDeep() }
          isOpen[child] = true
          stack.append(frame)
          stack.append((child, 0, 1, 1))
          isComplete = false
          break
        }
        frame.next += 1
        frame.depth = max(frame.depth, size.depth + 1)
        frame.values += size.values
        guard frame.depth <= limits.depth else { throw tooDeep() }
        guard frame.values <= Self.maxValues else {
          throw .limit("the property list has over \(Self.maxValues) values", setting: "", at: nil)
        }
      }
      if isComplete {
        sizes[frame.object] = (frame.depth, frame.values)
        isOpen[frame.object] = false
      }
    }
  }

  private mutating func readTrailer() throws(TableError) {
    guard bytes.count >= 40 else { throw malformed("it has no trailer") }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw malformed("its trailer is not valid")
    }
    objects = try number(at: trailer + 8, 8)
    top = try number(at: trailer + 16, 8)
    offsets = try number(at: trailer + 24, 8)
    guard objects > 0, top < objects, offsets >= 8, offsets < trailer,
      objects <= (trailer - offsets) / offsetSize
    else { throw malformed("its trailer is not valid") }
  }

  /// The place of the references of an object, and their number: 0 unless it is a container.
  private func children(of object: Int) throws(TableError) -> (start: Int, count: Int) {
    let start = try number(at: offsets + object * offsetSize, offsetSize)
    guard start < offsets else { throw malformed("object \(object) is not in the file") }
    let kind = bytes[start] >> 4
    guard kind == 0xA || kind == 0xC || kind == 0xD else { return (0, 0) }
    var count = Int(bytes[start] & 0xF)
    var next = start + 1
    if count == 0xF {
      guard next < offsets, bytes[next] >> 4 == 1, bytes[next] & 0xF <= 3 else {
        throw malformed("the length of object \(object) is not valid")
      }
      let size = 1 << Int(bytes[next] & 0xF)
      count = try number(at: next + 1, size)
      next += 1 + size
    }
    guard count <= (offsets - next) / referenceSize else {
      throw malformed("object \(object) is longer than the file")
    }
    if kind == 0xD {
      guard count <= (offsets - next) / referenceSize / 2 else {
        throw malformed("object \(object) is longer than the file")
      }
      count *= 2
    }
    return (next, count)
  }

  /// A number of up to eight bytes, the highest byte first.
  private func number(at start: Int, _ size: Int) throws(TableError) -> Int {
    guard start >= 0, start <= bytes.count - size else { throw malformed("it ends early") }
    var number: UInt64 = 0
    for byte in bytes[start..<start + size] { number = number << 8 | UInt64(byte) }
    guard let result = Int(exactly: number), result <= Int.max / 16 else {
      throw malformed("a number is too large")
    }
    return result
  }

  private func malformed(_ reason: String) -> TableError {
    .format("malformed binary property list: \(reason)", at: nil)
  }

  private func tooDeep() -> TableError {
    .limit(
      "arrays and dictionaries are nested over \(limits.depth) levels", setting: "maxDepth", at: nil
    )
  }
}
