internal import CScan

/// Distinct byte strings, numbered in the order in which they first come.
///
/// Open addressing with 24-byte slots that hold the first 16 bytes and the length inline, so that
/// short strings are compared without leaving the slot. Not thread-safe; one belongs to one worker
/// while a column is decoded.
///
/// - Requires: 16 readable bytes from the start of every string that is looked up, whatever its
///   length (the windows of the scanners are padded).
final class ByteDictionary {
  private struct Slot {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var length: UInt32 = 0
    /// The code plus one; 0 for a free slot.
    var number: UInt32 = 0
  }

  /// The number of distinct strings.
  private(set) var count = 0
  private var slots: UnsafeMutableBufferPointer<Slot>
  private var heap: [UInt8] = []
  private var offsets: [Int] = [0]

  init() {
    slots = .allocate(capacity: 1 << 6)
    slots.initialize(repeating: Slot())
  }

  deinit { slots.deallocate() }

  /// The number of `bytes`, which is new when they were not met before.
  func code(for bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let start = bytes.baseAddress, bytes.count >= 16 else {
      return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { padded in
        padded.initializeMemory(as: UInt8.self, repeating: 0)
        padded.copyMemory(from: bytes)
        let start = UnsafeRawPointer(padded.baseAddress.unsafelyUnwrapped)
        return code(at: start, length: bytes.count)
      }
    }
    return code(at: start, length: bytes.count)
  }

  /// The number of the `length` bytes at `start`, behind which 16 bytes can be read.
  @inline(__always)
  func code(at start: UnsafeRawPointer, length: Int) -> UInt32 {
    let (first, second) = Self.head(start, length: length)
    let hash = Self.hash(first, second, start, length: length)
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[place]
      if slot.number == 0 { break }
      if slot.first == first && slot.second == second && slot.length == UInt32(length)
        && (length <= 16 || hasRest(start, length: length, code: Int(slot.number) &- 1))
      {
        return slot.number &- 1
      }
      place = (place &+ 1) & mask
    }
    return insert(start, length: length, first, second, at: place)
  }

  /// The numbers of every `stride`-th field, plus one; 0 for empty unquoted fields.
  ///
  /// - Returns: whether all numbers fit `Code`; when not, what was written is of no use.
  func encode<Code: FixedWidthInteger & UnsignedInteger>(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    into codes: UnsafeMutablePointer<Code>
  ) -> Bool {
    // Copies in locals: the properties of a class are checked for exclusivity at every access.
    var slots = slots
    var mask = slots.count &- 1
    for index in 0..<count {
      let field = fields[index &* stride]
      guard field.length != 0 else {
        codes[index] = 0
        continue
      }
      let number: UInt32
      let length = Int(field.length & UInt32(DS_FIELD_LENGTH))
      let start = UnsafeRawPointer(bytes + Int(field.start))
      if length <= 16 && field.length & UInt32(DS_FIELD_ESCAPED) == 0 {
        let (first, second) = Self.head(start, length: length)
        var place = Int(truncatingIfNeeded: Self.mix(first, second, length: length)) & mask
        var slot = slots[place]
        while slot.number != 0
          && (slot.first != first || slot.second != second || slot.length != UInt32(length))
        {
          place = (place &+ 1) & mask
          slot = slots[place]
        }
        if slot.number != 0 {
          number = slot.number
        } else {
          number = insert(start, length: length, first, second, at: place) &+ 1
          slots = self.slots
          mask = slots.count &- 1
        }
      } else {
        number = code(of: field, at: start, length: length) &+ 1
        slots = self.slots
        mask = slots.count &- 1
      }
      guard let code = Code(exactly: number) else { return false }
      codes[index] = code
    }
    return true
  }

  private func code(of field: ds_field, at start: UnsafeRawPointer, length: Int) -> UInt32 {
    guard field.length & UInt32(DS_FIELD_ESCAPED) != 0 else {
      return code(at: start, length: length)
    }
    return UnsafeRawBufferPointer(start: start, count: length).withUnescapedQuotes { code(for: $0) }
  }

  /// The bytes of a code.
  func withBytes<Result>(
    of code: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try heap.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[offsets[code]..<offsets[code + 1]]))
    }
  }

  /// The first 16 bytes, what is behind the end as zeros.
  @inline(__always)
  private static func head(_ start: UnsafeRawPointer, length: Int) -> (UInt64, UInt64) {
    let first = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    let second = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    // Smart shifts by 64 or more give zero: an empty string has an empty head.
    let firstBits = UInt64(truncatingIfNeeded: 8 * max(0, 8 - length))
    let secondBits = UInt64(truncatingIfNeeded: 8 * max(0, min(8, 16 - length)))
    return ((first << firstBits) >> firstBits, (second << secondBits) >> secondBits)
  }

  @inline(__always)
  private static func hash(
    _ first: UInt64, _ second: UInt64, _ start: UnsafeRawPointer, length: Int
  ) -> UInt64 {
    var hash = mix(first, second, length: length)
    guard length > 16 else { return hash }
    var offset = 16
    while offset &+ 8 <= length {
      hash = mix(hash, start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    // The last bytes, with some before them again.
    return mix(hash, start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self))
  }

  @inline(__always)
  private static func mix(_ first: UInt64, _ second: UInt64, length: Int) -> UInt64 {
    mix(first ^ 0x9E37_79B9_7F4A_7C15, second ^ UInt64(truncatingIfNeeded: length))
  }

  @inline(__always)
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ 0xD6E8_FEB8_6659_FD93).multipliedFullWidth(
      by: right ^ 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }

  private func hasRest(_ start: UnsafeRawPointer, length: Int, code: Int) -> Bool {
    heap.withUnsafeBytes { heap in
      let known = UnsafeRawBufferPointer(rebasing: heap[offsets[code]..<offsets[code + 1]])
      return known.elementsEqual(UnsafeRawBufferPointer(start: start, count: length))
    }
  }

  @inline(never)
  private func insert(
    _ start: UnsafeRawPointer, length: Int, _ first: UInt64, _ second: UInt64, at place: Int
  ) -> UInt32 {
    heap.append(contentsOf: UnsafeRawBufferPointer(start: start, count: length))
    offsets.append(heap.count)
    count += 1
    slots[place] = Slot(
      first: first, second: second, length: UInt32(length), number: UInt32(count))
    if count * 2 > slots.count { grow() }
    return UInt32(count - 1)
  }

  private func grow() {
    let old = slots
    slots = .allocate(capacity: old.count * 4)
    slots.initialize(repeating: Slot())
    let mask = slots.count - 1
    for slot in old where slot.number != 0 {
      let code = Int(slot.number) - 1
      let hash = heap.withUnsafeBytes { heap in
        // Only strings longer than their head are read again, so nothing behind the heap is.
        let start = heap.baseAddress.unsafelyUnwrapped + offsets[code]
        return Self.hash(slot.first, slot.second, start, length: Int(slot.length))
      }
      var place = Int(truncatingIfNeeded: hash) & mask
      while slots[place].number != 0 { place = (place + 1) & mask }
      slots[place] = slot
    }
    old.deallocate()
  }
}
