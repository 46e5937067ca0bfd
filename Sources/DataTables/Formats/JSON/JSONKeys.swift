internal import CScan

/// The keys of a table's objects, numbered in order of first appearance, with guesses of the next
/// key.
///
/// Most objects have the keys of the previous one in the same order: a correct guess costs one
/// comparison of bytes, while looking up the number of a key costs a hash.
final class JSONKeys {
  /// Distinct keys, in the order of their numbers.
  private(set) var names: [String] = []
  /// The number of names. Properties that are read for every object are only assigned as a whole,
  /// because in-place changes would make every read check for exclusive access.
  private(set) var count = 0
  private var numbers: [String: Int] = [:]
  /// Keys as written, in quotes. `numbersOfWritten` has the number of each key, by its code.
  private let written = ByteDictionary()
  private var numbersOfWritten: [Int] = []
  private(set) var guesses: Guesses
  private(set) var separators = JSONSeparators()

  /// - Parameter known: keys that get the first numbers.
  init(_ known: [String] = []) {
    guesses = Guesses()
    for name in known { _ = add(name) }
  }

  deinit {
    guesses.deallocate()
    separators.deallocate()
  }

  /// The number of the key written as `bytes`, in quotes; the key becomes the next guess after
  /// `last`.
  func number(of bytes: UnsafeRawBufferPointer, after last: Int) -> Int {
    let code = Int(written.code(for: bytes))
    if code == numbersOfWritten.count {
      let name = JSONBuilder.string(bytes)
      numbersOfWritten.append(numbers[name] ?? add(name))
    }
    let number = numbersOfWritten[code]
    guesses.expect(number, after: last)
    return number
  }

  private func add(_ name: String) -> Int {
    let number = names.count
    if let known = numbers[name] { return known }
    names.append(name)
    count = names.count
    numbers[name] = number
    var bytes: [UInt8] = []
    name.appendJSON(to: &bytes)
    var grown = guesses
    grown.append(bytes)
    guesses = grown
    return number
  }

  func number(of name: String) -> Int? { numbers[name] }

  /// See ``JSONSeparators/note(_:to:after:)``.
  func noteSeparator(_ separator: UnsafeRawBufferPointer, to key: Int, after last: Int) {
    var noted = separators
    noted.note(separator, to: key, after: last)
    separators = noted
  }

  /// The written keys, and for each key the key that last followed it. The memory remains valid
  /// until the next key is added.
  struct Guesses {
    private var text = UnsafeMutablePointer<UInt8>.allocate(capacity: 0)
    private var textCount = 0
    private var textCapacity = 0
    private var starts = UnsafeMutablePointer<Int>.allocate(capacity: 0)
    /// At index `key + 1`, the key that last followed `key`; at index 0, the key that last came
    /// first.
    private var followers = UnsafeMutablePointer<Int>.allocate(capacity: 0)
    private var count = 0
    private var capacity = 0

    func deallocate() {
      text.deallocate()
      starts.deallocate()
      followers.deallocate()
    }

    mutating func append(_ key: [UInt8]) {
      if count + 2 >= capacity {
        capacity = max(16, capacity * 2)
        starts = Self.moved(starts, count + 1, to: capacity)
        followers = Self.moved(followers, count + 1, to: capacity)
      }
      if textCount + key.count + 8 >= textCapacity {
        textCapacity = max(256, (textCount + key.count + 8) * 2)
        text = Self.moved(text, textCount, to: textCapacity)
      }
      for (place, byte) in key.enumerated() { text[textCount + place] = byte }
      starts[count] = textCount
      textCount += key.count
      starts[count + 1] = textCount
      // Until an object differs, keys are expected in the order of their numbers.
      followers[count + 1] = count + 1
      count += 1
    }

    /// - Parameter used: the number of elements to move; the rest is zero.
    private static func moved<Element: FixedWidthInteger>(
      _ old: UnsafeMutablePointer<Element>, _ used: Int, to capacity: Int
    ) -> UnsafeMutablePointer<Element> {
      let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
      new.initialize(repeating: 0, count: capacity)
      if used > 1 || Element.self == UInt8.self { new.update(from: old, count: used) }
      old.deallocate()
      return new
    }

    func expect(_ key: Int, after last: Int) { followers[last + 1] = key }

    @inline(__always)
    func length(of key: Int) -> Int { starts[key + 1] - starts[key] }

    /// The key at `bytes` if it is one of the two likely keys after `last`, else -1.
    @inline(__always)
    func match(_ bytes: UnsafePointer<UInt8>, after last: Int) -> Int {
      guard count > 0 else { return -1 }
      let first = followers[last + 1]
      if first < count, isKey(first, at: bytes) { return first }
      // The likely key may be missing, so try the key that usually follows it.
      let second = first < count ? followers[first + 1] : 0
      return second < count && isKey(second, at: bytes) ? second : -1
    }

    @inline(__always)
    private func isKey(_ key: Int, at bytes: UnsafePointer<UInt8>) -> Bool {
      var place = starts[key]
      let end = starts[key + 1]
      var bytes = UnsafeRawPointer(bytes)
      let text = UnsafeRawPointer(text)
      while true {
        let difference =
          bytes.loadUnaligned(as: UInt64.self).littleEndian
          ^ text.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
        let rest = end - place
        if rest <= 8 { return difference &<< UInt64(64 - 8 * rest) == 0 }
        if difference != 0 { return false }
        bytes += 8
        place += 8
      }
    }
  }
}

/// For each key, the bytes that last followed its value, up to the next value, and the key of that
/// next value.
///
/// Most objects have the keys of the previous one in the same order and notation. Equal bytes are
/// equally well-formed, so one comparison replaces scanning the comma, the space, the key, the
/// colon and the space after it. A separator is only compared after the end of a value, and it
/// starts with a comma or a space, so it also ends numbers.
///
/// The memory remains valid until the next separator is noted.
struct JSONSeparators {
  /// At index `key + 1`, the separator after the value of `key`; at index 0, the separator at the
  /// start of an object.
  private(set) var known = UnsafeMutablePointer<ds_json_separator>.allocate(capacity: 0)
  private(set) var count = 0

  func deallocate() { known.deallocate() }

  /// - Parameters:
  ///   - separator: the well-formed bytes from the end of the value of `last`, or from the opening
  ///     brace if `last` is -1, to the start of the value of `key`.
  mutating func note(_ separator: UnsafeRawBufferPointer, to key: Int, after last: Int) {
    var noted = ds_json_separator()
    let longest = MemoryLayout.size(ofValue: noted.bytes)
    // A key with an escape must be decoded in every object.
    guard separator.count <= longest, !separator.contains(UInt8(ascii: "\\")) else { return }
    if max(last, key) + 1 >= count { grow(to: max(16, (max(last, key) + 2) * 2)) }
    noted.length = separator.count
    noted.key = key
    withUnsafeMutableBytes(of: &noted.bytes) { $0.copyMemory(from: separator) }
    known[last + 1] = noted
  }

  private mutating func grow(to count: Int) {
    let larger = UnsafeMutablePointer<ds_json_separator>.allocate(capacity: count)
    larger.initialize(from: known, count: self.count)
    (larger + self.count).initialize(
      repeating: ds_json_separator(), count: count - self.count)
    known.deallocate()
    known = larger
    self.count = count
  }
}
