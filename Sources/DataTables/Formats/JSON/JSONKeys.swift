/// The keys of a table's records, numbered as they first come, and a guess of which comes next.
///
/// Records mostly have the keys of the one before, in its order: a guess that fits costs one
/// comparison of bytes, where finding the number of a key costs a hash.
final class JSONKeys {
  /// Distinct keys, in the order of their numbers.
  private(set) var names: [String] = []
  /// Of the names. What is read for every record is only ever assigned as a whole: of what is
  /// changed in place every reader would ask whether somebody else is at it.
  private(set) var count = 0
  private var numbers: [String: Int] = [:]
  /// Keys as they are written, in quotes, with the number that each stands for.
  private let written = ByteDictionary()
  private var numberOfWritten: [Int] = []
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

  /// The number of the key that is written like `bytes`, in quotes; it will be guessed after `last`.
  func number(of bytes: UnsafeRawBufferPointer, after last: Int) -> Int {
    let code = Int(written.code(for: bytes))
    if code == numberOfWritten.count {
      let name = JSONBuilder.string(bytes)
      numberOfWritten.append(numbers[name] ?? add(name))
    }
    let number = numberOfWritten[code]
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

  /// As ``JSONSeparators/note(_:to:after:)``.
  func noteSeparator(_ separator: UnsafeRawBufferPointer, to key: Int, after last: Int) {
    var noted = separators
    noted.note(separator, to: key, after: last)
    separators = noted
  }

  /// Views of memory that stay where they are until the next key is added.
  struct Guesses {
    private var text = UnsafeMutablePointer<UInt8>.allocate(capacity: 0)
    private var textCount = 0
    private var textCapacity = 0
    private var starts = UnsafeMutablePointer<Int>.allocate(capacity: 0)
    /// At `key + 1` the key that followed it last; at 0 the one that came first.
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
      // Until a record tells otherwise, keys come in the order of their numbers.
      followers[count + 1] = count + 1
      count += 1
    }

    /// - Parameter used: how many of the elements are moved; the rest is zero.
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

    /// The key that stands at `bytes`, when it is one of the two that are likely after `last`; -1
    /// otherwise.
    @inline(__always)
    func match(_ bytes: UnsafePointer<UInt8>, after last: Int) -> Int {
      guard count > 0 else { return -1 }
      let first = followers[last + 1]
      if first < count, isKey(first, at: bytes) { return first }
      // The likely one may be missing.
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
