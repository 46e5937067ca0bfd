internal import CScan

/// Finds the end of JSON values and checks every byte of them (RFC 8259), without recursion. It
/// also finds the positions of the members of the outermost object and counts lone surrogates.
///
/// A kernel scans members that are written like those of the previous object; this class scans
/// everything else, and reports errors.
///
/// - Escaped lone surrogates are accepted, as in the grammar; they are read as U+FFFD.
/// - Precondition: at least ``padding`` zero bytes follow the bytes to scan. JSON contains no zero
///   byte, so every loop stops there without checking for the end.
final class JSONScanner {
  static let padding = 16
  /// Deeper values are rejected regardless of the limits, because building them recurses.
  static let maxDepth = 2_048

  /// A member of the outermost object: the number of its key in ``JSONKeys``, and the offsets of
  /// its value from the start of the scanned bytes.
  typealias Member = ds_json_member

  struct Failure {
    var offset: Int
    var reason: JSONFailure
    /// Whether the text is well-formed up to the end of the bytes, so that more bytes may complete
    /// it.
    var isTruncated: Bool
  }

  /// State that changes with every object. It is behind a pointer, because every access to a
  /// property of a class checks for exclusivity.
  private struct State {
    var loneSurrogates = 0
    var didStopEarly = false
  }

  let keys: JSONKeys
  private let newlinesAreSpace: Bool
  private let depthLimit: Int
  /// For each level from 1, whether it is an object.
  private let levels: UnsafeMutablePointer<Bool>
  private let state: UnsafeMutablePointer<State>
  private let object: UnsafeMutablePointer<ds_json_object>
  private let kernels: ds_kernels
  /// The only keys whose values are needed; once all are found, ``scan`` may stop after the last of
  /// them. Empty if the whole object is needed.
  var neededKeys: [Int] = []
  /// The needed key that came last in a previous object.
  private var lastNeededKey = JSONScanner.noKey
  private(set) var failure = Failure(offset: 0, reason: .value, isTruncated: false)

  /// Not the number of any key.
  private static let noKey = -2

  /// - Parameters:
  ///   - newlinesAreSpace: whether a value may span several lines.
  ///   - depthLimit: the maximum number of levels of arrays and objects.
  init(
    keys: JSONKeys, newlinesAreSpace: Bool, depthLimit: Int,
    kernels: ds_kernels = ds_kernels_best().pointee
  ) {
    self.keys = keys
    self.newlinesAreSpace = newlinesAreSpace
    self.depthLimit = max(0, min(depthLimit, Self.maxDepth))
    self.kernels = kernels
    levels = .allocate(capacity: self.depthLimit + 1)
    levels.initialize(repeating: false, count: self.depthLimit + 1)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    object = .allocate(capacity: 1)
    object.initialize(to: ds_json_object())
    object.pointee.capacity = 32
    object.pointee.members = .allocate(capacity: 32)
  }

  deinit {
    levels.deallocate()
    object.pointee.members.deallocate()
    object.deallocate()
    state.deallocate()
  }

  /// The members of the last scanned object in their order, including duplicates.
  var members: UnsafeBufferPointer<Member> {
    UnsafeBufferPointer(start: object.pointee.members, count: object.pointee.count)
  }
  var loneSurrogates: Int { state.pointee.loneSurrogates }
  /// Whether the keys of the last object were not in the order of their numbers; only then can it
  /// have duplicate keys.
  var mayRepeatKeys: Bool { object.pointee.may_repeat != 0 }
  /// Whether the last scan returned a position within the object, after the last needed value.
  var didStopEarly: Bool { state.pointee.didStopEarly }

  func noteLoneSurrogate() { state.pointee.loneSurrogates += 1 }

  /// Sets ``failure`` and returns nil.
  func fail(
    _ bytes: UnsafePointer<UInt8>, _ index: Int, _ reason: JSONFailure, _ end: Int
  ) -> Int? {
    failure = Failure(offset: min(index, end), reason: reason, isTruncated: index >= end)
    if index < end, bytes[index] >= 0x80, UTF8Sequence.length(bytes + index) == 0 {
      failure.reason = .encoding
      failure.isTruncated = UTF8Sequence.isTruncated(bytes + index, count: end - index)
    }
    return nil
  }
}

// MARK: - Scanning a value

extension JSONScanner {
  /// The position of a scan and its context.
  ///
  /// All functions that take it `inout` are always inlined, so that it remains in registers.
  private struct Walk {
    let bytes: UnsafePointer<UInt8>
    let end: Int
    let newlinesAreSpace: Bool
    var index: Int
    var depth: Int
    /// Whether the innermost level is an object; false for an array and outside all levels.
    var isObject: Bool
    /// Whether a value ends at the index; else a key or a value follows.
    var isAfterValue: Bool
    /// Whether the kernel matched the separator before the value at the index.
    var isAfterKnownSeparator: Bool
    /// Whether the kernel may continue after the value that ends at the index.
    var mayContinuePlainly = false
    /// The start of the separator before the next member of the outermost object.
    var separatorStart: Int

    @inline(__always) var byte: UInt8 { bytes[index] }
    @inline(__always) var closer: UInt8 { UInt8(ascii: isObject ? "}" : "]") }
    @inline(__always) var isInOutermostObject: Bool { depth == 1 && isObject }

    @inline(__always)
    mutating func skipSpace() { JSONScanner.skipSpace(bytes, &index, newlinesAreSpace) }
  }

  /// The end of the value that starts at `start`; nil, with the error in ``failure``, if the value
  /// is malformed or does not end by `end`.
  ///
  /// A number that ends at `end` may continue after it. If ``didStopEarly`` is true, the returned
  /// position is within the value.
  func scan(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    let levels = levels
    let object = object
    begin(bytes, start)
    var place = DS_JSON_AFTER_VALUE
    if depthLimit > 0, takePlainMembers(object, &place) { return stopEarly() }
    let hasMembers = object.pointee.count > 0
    let position = object.pointee.position
    var walk = Walk(
      bytes: bytes, end: end, newlinesAreSpace: newlinesAreSpace, index: position,
      depth: hasMembers ? 1 : 0, isObject: hasMembers,
      isAfterValue: hasMembers && place == DS_JSON_AFTER_VALUE,
      isAfterKnownSeparator: hasMembers && place != DS_JSON_AFTER_VALUE, separatorStart: position)
    levels[walk.depth] = walk.isObject

    while true {
      if !walk.isAfterValue {
        guard moveToValue(&walk, object), takeValue(&walk, levels) else { return nil }
        continue
      }
      if walk.depth == 0 {
        if !neededKeys.isEmpty { learnLastNeededKey() }
        return walk.index
      }
      if walk.isInOutermostObject {
        if walk.mayContinuePlainly {
          if continuePlainly(&walk, object) { return stopEarly() }
          if !walk.isAfterValue { continue }
        }
        walk.separatorStart = walk.index
      }
      guard takeCommaOrCloser(&walk, levels) else { return nil }
    }
  }

  private func begin(_ bytes: UnsafePointer<UInt8>, _ start: Int) {
    let separators = keys.separators
    state.pointee.loneSurrogates = 0
    state.pointee.didStopEarly = false
    object.pointee.bytes = bytes
    object.pointee.position = start
    object.pointee.separators = UnsafePointer(separators.known)
    object.pointee.separator_count = separators.count
    object.pointee.count = 0
    object.pointee.key = -1
    object.pointee.greatest_key = -1
    object.pointee.may_repeat = 0
    object.pointee.stop_key = lastNeededKey
  }

  private func stopEarly() -> Int {
    state.pointee.didStopEarly = true
    return object.pointee.position
  }

  /// Lets the kernel continue after a value of the outermost object; true if all needed keys are
  /// found.
  @inline(__always)
  private func continuePlainly(
    _ walk: inout Walk, _ object: UnsafeMutablePointer<ds_json_object>
  ) -> Bool {
    walk.mayContinuePlainly = false
    object.pointee.position = walk.index
    var place = DS_JSON_AFTER_VALUE
    if takePlainMembers(object, &place) { return true }
    walk.index = object.pointee.position
    walk.isAfterKnownSeparator = place == DS_JSON_AT_VALUE
    walk.isAfterValue = !walk.isAfterKnownSeparator
    return false
  }

  /// Lets the kernel scan members; true if all needed keys are found.
  private func takePlainMembers(
    _ object: UnsafeMutablePointer<ds_json_object>, _ place: inout ds_json_stop
  ) -> Bool {
    while true {
      place = kernels.json_members(object, place)
      guard place == DS_JSON_AFTER_VALUE, object.pointee.key == object.pointee.stop_key
      else { return false }
      if hasAllNeededKeys { return true }
      object.pointee.stop_key = Self.noKey
    }
  }

  /// Scans a comma or the end of the innermost level.
  @inline(__always)
  private func takeCommaOrCloser(
    _ walk: inout Walk, _ levels: UnsafeMutablePointer<Bool>
  ) -> Bool {
    walk.skipSpace()
    if walk.byte == UInt8(ascii: ",") {
      walk.index += 1
      walk.isAfterValue = false
      return true
    }
    guard walk.byte == walk.closer else {
      return fail(walk, walk.isObject ? .commaOrBrace : .commaOrBracket)
    }
    close(&walk, levels)
    return true
  }

  /// Moves to the start of the next value, past its key if it has one.
  @inline(__always)
  private func moveToValue(
    _ walk: inout Walk, _ object: UnsafeMutablePointer<ds_json_object>
  ) -> Bool {
    walk.skipSpace()
    if walk.isAfterKnownSeparator {
      // There may be more space than in the known separator.
      walk.isAfterKnownSeparator = false
      object.pointee.members[object.pointee.count - 1].start = walk.index
      return true
    }
    return walk.isObject ? takeKey(&walk, object) : true
  }

  /// Scans a key, the colon and the space around it.
  @inline(__always)
  private func takeKey(
    _ walk: inout Walk, _ object: UnsafeMutablePointer<ds_json_object>
  ) -> Bool {
    guard walk.byte == UInt8(ascii: "\"") else { return fail(walk, .key) }
    let previous = object.pointee.key
    let keyEnd =
      walk.depth == 1
      ? memberKeyEnd(walk.bytes, walk.index, walk.end)
      : string(walk.bytes, walk.index + 1, walk.end)
    guard let keyEnd else { return false }
    walk.index = keyEnd
    walk.skipSpace()
    guard walk.byte == UInt8(ascii: ":") else { return fail(walk, .colon) }
    walk.index += 1
    walk.skipSpace()
    if walk.depth == 1 {
      addMember(at: walk.index)
      noteSeparator(walk.bytes, walk.separatorStart..<walk.index, after: previous)
    }
    return true
  }

  /// Scans a string, number or word, an empty array or object, or the opening of one that is not
  /// empty.
  @inline(__always)
  private func takeValue(_ walk: inout Walk, _ levels: UnsafeMutablePointer<Bool>) -> Bool {
    switch walk.byte {
    case UInt8(ascii: "\""):
      guard let stringEnd = string(walk.bytes, walk.index + 1, walk.end) else { return false }
      walk.index = stringEnd
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let numberEnd = Self.shortNumber(walk.bytes, walk.index) {
        walk.index = numberEnd
      } else {
        let (numberEnd, reason) = Self.number(walk.bytes, walk.index)
        walk.index = numberEnd
        if let reason { return fail(walk, reason) }
      }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return open(&walk, levels)
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      let (wordEnd, isWord) = Self.word(walk.bytes, walk.index)
      walk.index = wordEnd
      guard isWord else { return fail(walk, .word) }
    default: return fail(walk, .value)
    }
    walk.isAfterValue = true
    walk.mayContinuePlainly = true
    return true
  }

  /// Enters an array or object, and leaves it again if it is empty.
  @inline(__always)
  private func open(_ walk: inout Walk, _ levels: UnsafeMutablePointer<Bool>) -> Bool {
    guard walk.depth < depthLimit else { return fail(walk, .depth) }
    if walk.depth == 0 { walk.separatorStart = walk.index }
    walk.isObject = walk.byte == UInt8(ascii: "{")
    walk.depth += 1
    levels[walk.depth] = walk.isObject
    walk.index += 1
    walk.skipSpace()
    if walk.byte == walk.closer {
      close(&walk, levels)
    } else if walk.isObject, walk.byte != UInt8(ascii: "\"") {
      return fail(walk, .keyOrEnd)
    }
    return true
  }

  @inline(__always)
  private func close(_ walk: inout Walk, _ levels: UnsafeMutablePointer<Bool>) {
    walk.index += 1
    walk.depth -= 1
    walk.isObject = levels[walk.depth]
    walk.isAfterValue = true
    walk.mayContinuePlainly = true
  }

  /// Sets ``failure`` and returns false.
  @inline(__always)
  private func fail(_ walk: Walk, _ reason: JSONFailure) -> Bool {
    fail(walk.bytes, walk.index, reason, walk.end) != nil
  }
}

// MARK: - Members

extension JSONScanner {
  /// The end of a key of the outermost object; its number becomes the object's `key`.
  private func memberKeyEnd(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
    let last = object.pointee.key
    let guess = keys.guesses.match(bytes + start, after: last)
    if guess >= 0 {
      object.pointee.key = guess
      return start + keys.guesses.length(of: guess)
    }
    guard let keyEnd = string(bytes, start + 1, end) else { return nil }
    object.pointee.key = keys.number(
      of: UnsafeRawBufferPointer(start: bytes + start, count: keyEnd - start), after: last)
    return keyEnd
  }

  /// Adds the member of the object's `key`, whose value starts at `start`.
  private func addMember(at start: Int) {
    let count = object.pointee.count
    if count == object.pointee.capacity { growMembers() }
    let key = object.pointee.key
    if key <= object.pointee.greatest_key {
      object.pointee.may_repeat = 1
    } else {
      object.pointee.greatest_key = key
    }
    object.pointee.members[count] = Member(key: key, start: start, end: start)
    object.pointee.count = count + 1
  }

  private func growMembers() {
    let capacity = object.pointee.capacity * 2
    let grown = UnsafeMutablePointer<Member>.allocate(capacity: capacity)
    grown.update(from: object.pointee.members, count: object.pointee.count)
    object.pointee.members.deallocate()
    object.pointee.members = grown
    object.pointee.capacity = capacity
  }

  private func noteSeparator(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, after last: Int) {
    keys.noteSeparator(
      UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.count),
      to: object.pointee.key, after: last)
    let separators = keys.separators
    object.pointee.separators = UnsafePointer(separators.known)
    object.pointee.separator_count = separators.count
  }

  private func learnLastNeededKey() {
    if let member = members.last(where: { neededKeys.contains($0.key) }) {
      lastNeededKey = member.key
    }
  }

  private var hasAllNeededKeys: Bool {
    let members = members
    return neededKeys.allSatisfy { key in members.contains { $0.key == key } }
  }
}
