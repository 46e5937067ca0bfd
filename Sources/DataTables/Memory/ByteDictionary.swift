internal import CScan
internal import Glibc

/// Distinct byte strings, numbered in the order of their first appearance.
///
/// Open addressing with slots of 32 bytes, which are in one line of the cache where the table is large.
/// They contain the first 16 bytes and the length, so that short strings are compared without leaving
/// the slot. Not thread-safe: while a column is decoded, each worker has its own dictionary.
///
/// - Requires: 16 readable bytes from the start of every string that is looked up, even if it is
///   shorter (the windows of the scanners are padded).
final class ByteDictionary {
  private struct Slot {
    var first: UInt64 = 0
    var second: UInt64 = 0
    /// The length plus one; 0 for a free slot.
    var size: UInt32 = 0
    /// The code plus one.
    var number: UInt32 = 0
    /// The place of the string in the heap.
    var offset: Int = 0

    @inline(__always) func holds(_ first: UInt64, _ second: UInt64, length: Int) -> Bool {
      // One branch instead of three.
      (self.first ^ first) | (self.second ^ second)
        | UInt64(size ^ UInt32(truncatingIfNeeded: length &+ 1)) == 0
    }
  }

  /// The number of distinct strings.
  private(set) var count = 0
  private var slots: UnsafeMutableBufferPointer<Slot>
  /// The strings, one after another. Not an array, because each lookup of a long string would check
  /// the bounds of the array and the exclusive access to the property.
  private var heap: UnsafeMutableRawBufferPointer
  private var offsets: UnsafeMutableBufferPointer<Int>
  private let quoting: FieldQuoting

  /// - Parameter quoting: the quotes and escapes of the fields that are encoded.
  init(quoting: FieldQuoting = FieldQuoting()) {
    self.quoting = quoting
    slots = .allocate(capacity: 1 << 6)
    slots.initialize(repeating: Slot())
    heap = .allocate(byteCount: 1 << 10, alignment: 8)
    offsets = .allocate(capacity: 1 << 6)
    offsets.initialize(repeating: 0)
  }

  deinit {
    slots.deallocate()
    heap.deallocate()
    offsets.deallocate()
  }

  /// The code of `bytes`; a new one if the string is new.
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

  /// The code of the `length` bytes at `start`. At least 16 bytes from `start` must be readable.
  @inline(__always)
  func code(at start: UnsafeRawPointer, length: Int) -> UInt32 {
    let (first, second) = Self.head(start, length: length)
    let hash = Self.hash(first, second, start, length: length)
    return code(at: start, length: length, first, second, hash: hash)
  }

  /// The code of the `length` bytes at `start`; nil if the string is not in the dictionary. At least
  /// 16 bytes from `start` must be readable.
  func knownCode(at start: UnsafeRawPointer, length: Int) -> UInt32? {
    let (first, second) = Self.head(start, length: length)
    let hash = Self.hash(first, second, start, length: length)
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place].size != 0 {
      let slot = slots[place]
      if slot.holds(first, second, length: length)
        && hasRest(start, length: length, at: slot.offset)
      {
        return slot.number &- 1
      }
      place = (place &+ 1) & mask
    }
    return nil
  }

  @inline(never)
  private func code(
    at start: UnsafeRawPointer, length: Int, _ first: UInt64, _ second: UInt64, hash: UInt64
  ) -> UInt32 {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[place]
      if slot.size == 0 { break }
      if slot.holds(first, second, length: length)
        && hasRest(start, length: length, at: slot.offset)
      {
        return slot.number &- 1
      }
      place = (place &+ 1) & mask
    }
    return insert(start, length: length, first, second, at: place)
  }

  /// Writes the codes, plus one, of every `stride`-th field; 0 for empty unquoted fields.
  ///
  /// - Returns: whether all codes fit in `Code`. If not, the output is invalid.
  func encode<Code: FixedWidthInteger & UnsignedInteger>(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    into codes: UnsafeMutablePointer<Code>
  ) -> Bool {
    for start in Swift.stride(from: 0, to: count, by: Self.block) {
      let size = min(Self.block, count - start)
      let block = fields + start &* stride
      if slots.count > Self.cachedSlots {
        encodeDistant(block, count: size, stride: stride, of: bytes, into: codes + start)
      } else {
        encodeNear(block, count: size, stride: stride, of: bytes, into: codes + start)
      }
    }
    return self.count <= Code.max
  }

  /// The number of fields that are encoded at once.
  private static let block = 64
  /// A table with up to this number of slots is usually in the cache of the processor.
  private static let cachedSlots = 1 << 16

  private func encodeNear<Code: FixedWidthInteger & UnsignedInteger>(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    into codes: UnsafeMutablePointer<Code>
  ) {
    // Copies in local variables: each access to a property of a class is checked for exclusivity.
    var slots = slots
    var mask = slots.count &- 1
    for index in 0..<count {
      let field = fields[index &* stride]
      let length = Int(field.length & ~UInt32(DS_FIELD_QUOTED))
      let number: UInt32
      // Another function handles the rare fields that are long, empty or escaped (the flag makes
      // `length` large), so that the loop remains in registers.
      if length <= 32, field.length != 0 {
        let start = UnsafeRawPointer(bytes + Int(field.start))
        let (first, second) = Self.head(start, length: length)
        let hash = Self.hash(first, second, start, length: length)
        let slot = slots[Int(truncatingIfNeeded: hash) & mask]
        if slot.holds(first, second, length: length)
          && hasRest(start, length: length, at: slot.offset)
        {
          codes[index] = Code(truncatingIfNeeded: slot.number)
          continue
        }
        number = code(at: start, length: length, first, second, hash: hash) &+ 1
      } else {
        number = self.number(of: field, in: bytes)
      }
      codes[index] = Code(truncatingIfNeeded: number)
      slots = self.slots
      mask = slots.count &- 1
    }
  }

  /// The first bytes and the hash of a field.
  private struct Lookup {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var hash: UInt64 = 0
  }

  /// Encodes fields with a table that is not in the cache: the memory that all lookups read is
  /// requested before the first one waits for it.
  @inline(never)
  private func encodeDistant<Code: FixedWidthInteger & UnsignedInteger>(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    into codes: UnsafeMutablePointer<Code>
  ) {
    withUnsafeTemporaryAllocation(of: Lookup.self, capacity: Self.block) { lookups in
      var slots = slots
      var mask = slots.count &- 1
      for index in 0..<count {
        let length = Int(fields[index &* stride].length & UInt32(DS_FIELD_LENGTH))
        let start = UnsafeRawPointer(bytes + Int(fields[index &* stride].start))
        // In vain for an empty field, and for an escaped one, which is looked up by another text.
        let (first, second) = Self.head(start, length: length)
        let hash = Self.hash(first, second, start, length: length)
        lookups[index] = Lookup(first: first, second: second, hash: hash)
        ds_prefetch(slots.baseAddress.unsafelyUnwrapped + (Int(truncatingIfNeeded: hash) & mask))
      }
      let heap = UnsafeRawPointer(heap.baseAddress.unsafelyUnwrapped)
      for index in 0..<count {
        let length = Int(fields[index &* stride].length & UInt32(DS_FIELD_LENGTH))
        // The slot of a short text is all that is read of it.
        if length <= 16 { continue }
        let slot = slots[Int(truncatingIfNeeded: lookups[index].hash) & mask]
        if slot.size != UInt32(truncatingIfNeeded: length &+ 1) { continue }
        ds_prefetch(heap + slot.offset + 16)
        ds_prefetch(heap + slot.offset + (length &- 1))
      }
      for index in 0..<count {
        let field = fields[index &* stride]
        let length = Int(field.length & ~UInt32(DS_FIELD_QUOTED))
        let number: UInt32
        if field.length == 0 || field.length & UInt32(DS_FIELD_ESCAPED) != 0 {
          number = self.number(of: field, in: bytes)
        } else {
          let start = UnsafeRawPointer(bytes + Int(field.start))
          let lookup = lookups[index]
          let slot = slots[Int(truncatingIfNeeded: lookup.hash) & mask]
          if slot.holds(lookup.first, lookup.second, length: length)
            && hasRest(start, length: length, at: slot.offset)
          {
            number = slot.number
          } else {
            number =
              code(at: start, length: length, lookup.first, lookup.second, hash: lookup.hash) &+ 1
          }
        }
        codes[index] = Code(truncatingIfNeeded: number)
        // A new string may have replaced the table.
        slots = self.slots
        mask = slots.count &- 1
      }
    }
  }

  /// For the number of each string of another dictionary, the number of the same string in this one,
  /// which adds new strings. Numbers are codes plus one; 0 stays 0.
  func numbers(of other: ByteDictionary) -> [UInt32] {
    var numbers = [UInt32](repeating: 0, count: other.count + 1)
    let bytes = other.heap.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
    var fields: [ds_field] = []
    var first = 0
    while first < other.count {
      let start = other.offsets[first]
      var end = first
      fields.removeAll(keepingCapacity: true)
      while end < other.count, fields.count < Self.fieldsPerBatch,
        other.offsets[end] - start < Self.bytesPerBatch
      {
        let length = other.offsets[end + 1] - other.offsets[end]
        if length > Int(DS_FIELD_LENGTH) { break }
        // Marked as quoted, an empty string is not a missing one.
        fields.append(
          ds_field(
            start: UInt32(other.offsets[end] - start),
            length: UInt32(length) | UInt32(DS_FIELD_QUOTED)))
        end += 1
      }
      numbers.withUnsafeMutableBufferPointer { numbers in
        let target = numbers.baseAddress.unsafelyUnwrapped + (first + 1)
        _ = encode(fields, count: fields.count, stride: 1, of: bytes + start, into: target)
      }
      first = end
      // A string that is too long for a field.
      if fields.isEmpty {
        numbers[first + 1] = other.withBytes(of: first) { code(for: $0) } + 1
        first += 1
      }
    }
    return numbers
  }

  private static let fieldsPerBatch = 4_096
  /// The start of a field has 32 bits.
  private static let bytesPerBatch = 1 << 30

  /// The code of a field plus one; 0 for an empty unquoted one.
  @inline(never)
  private func number(of field: ds_field, in bytes: UnsafePointer<UInt8>) -> UInt32 {
    guard field.length != 0 else { return 0 }
    let length = Int(field.length & UInt32(DS_FIELD_LENGTH))
    let start = UnsafeRawPointer(bytes + Int(field.start))
    guard field.length & UInt32(DS_FIELD_ESCAPED) != 0 else {
      return code(at: start, length: length) &+ 1
    }
    let escaped = UnsafeRawBufferPointer(start: start, count: length)
    let isQuoted = field.length & UInt32(DS_FIELD_QUOTED) != 0
    return quoting.withUnescaped(escaped, isQuoted: isQuoted) { code(for: $0) } &+ 1
  }

  /// Calls `body` with the bytes of the string that has a code.
  func withBytes<Result>(
    of code: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeRawBufferPointer(rebasing: heap[offsets[code]..<offsets[code + 1]]))
  }

  /// The first 16 bytes, with zeros after the end.
  ///
  /// Computed with a vector, because shifts by the length would become branches that the processor
  /// cannot predict.
  @inline(__always)
  private static func head(_ start: UnsafeRawPointer, length: Int) -> (UInt64, UInt64) {
    let bytes = start.loadUnaligned(as: SIMD16<UInt8>.self)
    let places = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let end = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: min(length, 16)))
    let words = unsafeBitCast(
      bytes.replacing(with: 0, where: places .>= end), to: SIMD2<UInt64>.self)
    return (words[0].littleEndian, words[1].littleEndian)
  }

  @inline(__always)
  private static func hash(
    _ first: UInt64, _ second: UInt64, _ start: UnsafeRawPointer, length: Int
  ) -> UInt64 {
    var hash = mix(first, second, length: length)
    guard length > 16 else { return hash }
    // In a string of up to 32 bytes, the first and the last 16 bytes, which may overlap, cover all
    // bytes.
    let last = start + (length &- 16)
    hash ^= mix(
      last.loadUnaligned(as: UInt64.self), last.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    var offset = 16
    while offset &+ 16 < length {
      hash = mix(hash, start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    return hash
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

  /// Whether the bytes after the first 16 equal those of the string at `offset` of the heap.
  @inline(__always)
  private func hasRest(_ start: UnsafeRawPointer, length: Int, at offset: Int) -> Bool {
    length <= 16 || hasLongRest(start, length: length, at: offset)
  }

  @inline(never)
  private func hasLongRest(_ start: UnsafeRawPointer, length: Int, at offset: Int) -> Bool {
    guard let heap = UnsafeRawPointer(heap.baseAddress) else { return true }
    let known = heap + offset
    guard length <= 32 else { return memcmp(known + 16, start + 16, length &- 16) == 0 }
    return known.loadUnaligned(fromByteOffset: length &- 16, as: UInt64.self)
      == start.loadUnaligned(fromByteOffset: length &- 16, as: UInt64.self)
      && known.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
        == start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
  }

  @inline(never)
  private func insert(
    _ start: UnsafeRawPointer, length: Int, _ first: UInt64, _ second: UInt64, at place: Int
  ) -> UInt32 {
    let end = offsets[count] + length
    // Sixteen bytes from the start of a string can be read.
    if end + 16 > heap.count { growHeap(to: end + 16) }
    if count + 1 == offsets.count { growOffsets() }
    heap.baseAddress.unsafelyUnwrapped.advanced(by: offsets[count])
      .copyMemory(from: start, byteCount: length)
    count += 1
    offsets[count] = end
    slots[place] = Slot(
      first: first, second: second, size: UInt32(length + 1), number: UInt32(count),
      offset: offsets[count - 1])
    // A small table is kept sparse, because a collision costs a branch misprediction. A large table
    // does not fit the cache anyway.
    if count * (slots.count < 1 << 14 ? 4 : 2) > slots.count { growSlots() }
    return UInt32(count - 1)
  }

  private func growHeap(to end: Int) {
    let larger = UnsafeMutableRawBufferPointer(
      LargePages.allocate(UInt8.self, capacity: max(end, heap.count * 2)))
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: heap[..<offsets[count]]))
    heap.deallocate()
    heap = larger
  }

  private func growOffsets() {
    let larger = UnsafeMutableBufferPointer<Int>.allocate(capacity: offsets.count * 2)
    _ = larger.initialize(fromContentsOf: offsets)
    offsets.deallocate()
    offsets = larger
  }

  private func growSlots() {
    let old = slots
    // Lookups are at random places: with small pages, most would also wait for an address.
    slots = LargePages.allocate(Slot.self, capacity: old.count * 4)
    slots.initialize(repeating: Slot())
    let mask = slots.count - 1
    for slot in old where slot.size != 0 {
      // Only strings longer than 16 bytes are read again, so no read passes the end of the heap.
      let start = UnsafeRawPointer(heap.baseAddress.unsafelyUnwrapped + slot.offset)
      let hash = Self.hash(slot.first, slot.second, start, length: Int(slot.size) - 1)
      var place = Int(truncatingIfNeeded: hash) & mask
      while slots[place].size != 0 { place = (place + 1) & mask }
      slots[place] = slot
    }
    old.deallocate()
  }
}
