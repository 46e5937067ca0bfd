internal import CScan

/// Finds the end of JSON values and checks every byte of them (RFC 8259), without recursion and
/// without making anything of them but the places of a record's own keys and values.
///
/// Members that are written like those of the record before are taken by a kernel; here is all that
/// is not as plain, and what is wrong.
///
/// - Escapes of lone surrogates are taken, as the grammar has them; they are read as U+FFFD.
/// - Precondition: at least ``padding`` zero bytes stand behind the bytes to scan. As no text has a
///   zero byte, every loop ends there without asking for the end.
final class JSONScanner {
  static let padding = 16
  /// Deeper values are not taken whatever the limits say: reading them back recurses.
  static let deepest = 2_048

  /// A key of the outermost record, by its number of ``JSONKeys``, and its value, as offsets from
  /// where the scan was told to read.
  typealias Member = ds_json_member

  struct Failure {
    var offset: Int
    var reason: JSONFailure
    /// Whether more bytes might mend it.
    var isCut: Bool
  }

  /// What changes with every record: behind a pointer, as properties of a class cost a check of
  /// exclusive access each time.
  private struct State {
    var loneSurrogates = 0
    var didStopEarly = false
  }

  let keys: JSONKeys
  private let newlinesAreSpace: Bool
  private let depthLimit: Int
  /// For each level from 1, whether it is a record.
  private let levels: UnsafeMutablePointer<Bool>
  private let state: UnsafeMutablePointer<State>
  private let record: UnsafeMutablePointer<ds_json_object>
  private let kernels: ds_kernels
  /// Keys whose values are all that is wanted of a record; where they are found, ``scan`` may stop
  /// behind the last of them. None for whole records.
  var wantedKeys: [Int] = []
  /// Of the wanted keys the one that came last in a record before.
  private var lastWanted = JSONScanner.none
  private(set) var failure = Failure(offset: 0, reason: .value, isCut: false)

  /// A number that no key has.
  private static let none = -2

  /// - Parameters:
  ///   - newlinesAreSpace: whether a value may go over several lines.
  ///   - depthLimit: the levels of arrays and records a value may have.
  init(
    keys: JSONKeys, newlinesAreSpace: Bool, depthLimit: Int,
    kernels: ds_kernels = ds_kernels_best().pointee
  ) {
    self.keys = keys
    self.newlinesAreSpace = newlinesAreSpace
    self.depthLimit = max(0, min(depthLimit, Self.deepest))
    self.kernels = kernels
    levels = .allocate(capacity: self.depthLimit + 1)
    levels.initialize(repeating: false, count: self.depthLimit + 1)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    record = .allocate(capacity: 1)
    record.initialize(to: ds_json_object())
    record.pointee.capacity = 32
    record.pointee.members = .allocate(capacity: 32)
  }

  deinit {
    levels.deallocate()
    record.pointee.members.deallocate()
    record.deallocate()
    state.deallocate()
  }

  /// The members of the record that was scanned last, in their order, duplicates among them.
  var members: UnsafeBufferPointer<Member> {
    UnsafeBufferPointer(start: record.pointee.members, count: record.pointee.count)
  }
  var loneSurrogates: Int { state.pointee.loneSurrogates }
  /// Whether the last record's keys do not come in the order of their numbers; only then one of them
  /// can have come twice.
  var mayRepeatKeys: Bool { record.pointee.may_repeat != 0 }
  /// Whether the last scan stopped inside of the record, at what it gave for the end.
  var didStopEarly: Bool { state.pointee.didStopEarly }

  func noteLoneSurrogate() { state.pointee.loneSurrogates += 1 }

  /// Where the value that begins at `start` ends; nil when it is malformed or does not end before
  /// `end`, as ``failure`` tells.
  ///
  /// A number that goes up to `end` may go on behind it.
  func scan(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    let levels = levels
    let record = record
    begin(bytes, start)
    var place = DS_JSON_AFTER_VALUE
    if depthLimit > 0, takePlainMembers(record, &place) { return stopEarly() }
    var index = record.pointee.position
    var depth = record.pointee.count > 0 ? 1 : 0
    levels[depth] = depth == 1
    var isRecord = depth == 1
    // Whether what stands behind the last value is still to be compared with what is known.
    var isNew = false
    // Where the separator begins that leads to the next value of the outermost record.
    var separatorStart = index
    var isBehind = depth == 1 && place == DS_JSON_AFTER_VALUE
    // Whether a separator that is known led to the value.
    var isKnown = depth == 1 && !isBehind

    while true {
      if isBehind {
        if depth == 0 {
          if !wantedKeys.isEmpty { learnLastWanted() }
          return index
        }
        if depth == 1, isRecord {
          if isNew {
            isNew = false
            record.pointee.position = index
            place = DS_JSON_AFTER_VALUE
            if takePlainMembers(record, &place) { return stopEarly() }
            index = record.pointee.position
            isKnown = place == DS_JSON_AT_VALUE
            isBehind = !isKnown
            if isKnown { continue }
          }
          separatorStart = index
        }
        Self.skipSpace(bytes, &index, newlinesAreSpace)
        let byte = bytes[index]
        if byte == UInt8(ascii: ",") {
          index += 1
          isBehind = false
          continue
        }
        guard byte == UInt8(ascii: isRecord ? "}" : "]") else {
          return fail(bytes, index, isRecord ? .commaOrBrace : .commaOrBracket, end)
        }
        index += 1
        depth -= 1
        isRecord = levels[depth]
        isNew = true
        continue
      }

      if isKnown {
        isKnown = false
        // There may be more space than the last time.
        Self.skipSpace(bytes, &index, newlinesAreSpace)
        record.pointee.members[record.pointee.count - 1].start = index
      } else {
        Self.skipSpace(bytes, &index, newlinesAreSpace)
        if isRecord {
          guard bytes[index] == UInt8(ascii: "\"") else { return fail(bytes, index, .key, end) }
          let previous = record.pointee.key
          let keyEnd =
            depth == 1 ? ownKeyEnd(bytes, index, end) : string(bytes, index + 1, end)
          guard let keyEnd else { return nil }
          index = keyEnd
          Self.skipSpace(bytes, &index, newlinesAreSpace)
          guard bytes[index] == UInt8(ascii: ":") else { return fail(bytes, index, .colon, end) }
          index += 1
          Self.skipSpace(bytes, &index, newlinesAreSpace)
          if depth == 1 {
            addMember(at: index)
            noteSeparator(bytes, separatorStart..<index, after: previous)
          }
        }
      }

      switch bytes[index] {
      case UInt8(ascii: "\""):
        guard let stringEnd = string(bytes, index + 1, end) else { return nil }
        index = stringEnd
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        if let numberEnd = Self.shortNumber(bytes, index) {
          index = numberEnd
        } else {
          let (numberEnd, reason) = Self.number(bytes, index)
          if let reason { return fail(bytes, numberEnd, reason, end) }
          index = numberEnd
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < depthLimit else { return fail(bytes, index, .depth, end) }
        if depth == 0 { separatorStart = index }
        isRecord = bytes[index] == UInt8(ascii: "{")
        depth += 1
        levels[depth] = isRecord
        index += 1
        Self.skipSpace(bytes, &index, newlinesAreSpace)
        guard bytes[index] == UInt8(ascii: isRecord ? "}" : "]") else {
          if isRecord, bytes[index] != UInt8(ascii: "\"") {
            return fail(bytes, index, .keyOrEnd, end)
          }
          continue
        }
        index += 1
        depth -= 1
        isRecord = levels[depth]
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        let (wordEnd, isWord) = Self.word(bytes, index)
        guard isWord else { return fail(bytes, wordEnd, .word, end) }
        index = wordEnd
      default: return fail(bytes, index, .value, end)
      }
      isBehind = true
      isNew = true
    }
  }

  private func begin(_ bytes: UnsafePointer<UInt8>, _ start: Int) {
    let separators = keys.separators
    state.pointee.loneSurrogates = 0
    state.pointee.didStopEarly = false
    record.pointee.bytes = bytes
    record.pointee.position = start
    record.pointee.separators = UnsafePointer(separators.known)
    record.pointee.separator_count = separators.count
    record.pointee.count = 0
    record.pointee.key = -1
    record.pointee.greatest_key = -1
    record.pointee.may_repeat = 0
    record.pointee.wanted_key = lastWanted
  }

  /// Lets the kernel go on; true when all that is wanted of the record was found.
  private func takePlainMembers(
    _ record: UnsafeMutablePointer<ds_json_object>, _ place: inout ds_json_stop
  ) -> Bool {
    while true {
      place = kernels.json_members(record, place)
      guard place == DS_JSON_AFTER_VALUE, record.pointee.key == record.pointee.wanted_key
      else { return false }
      if hasAllWanted { return true }
      record.pointee.wanted_key = Self.none
    }
  }

  private func stopEarly() -> Int {
    state.pointee.didStopEarly = true
    return record.pointee.position
  }

  /// Where a key of the outermost record ends, whose number is then that of the record's `key`.
  private func ownKeyEnd(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
    let last = record.pointee.key
    let guess = keys.guesses.match(bytes + start, after: last)
    if guess >= 0 {
      record.pointee.key = guess
      return start + keys.guesses.length(of: guess)
    }
    guard let keyEnd = string(bytes, start + 1, end) else { return nil }
    record.pointee.key = keys.number(
      of: UnsafeRawBufferPointer(start: bytes + start, count: keyEnd - start), after: last)
    return keyEnd
  }

  /// Adds the member of the record's `key`, whose value begins at `start`.
  private func addMember(at start: Int) {
    let count = record.pointee.count
    if count == record.pointee.capacity { growMembers() }
    let key = record.pointee.key
    if key <= record.pointee.greatest_key {
      record.pointee.may_repeat = 1
    } else {
      record.pointee.greatest_key = key
    }
    record.pointee.members[count] = Member(key: key, start: start, end: start)
    record.pointee.count = count + 1
  }

  private func growMembers() {
    let capacity = record.pointee.capacity * 2
    let grown = UnsafeMutablePointer<Member>.allocate(capacity: capacity)
    grown.update(from: record.pointee.members, count: record.pointee.count)
    record.pointee.members.deallocate()
    record.pointee.members = grown
    record.pointee.capacity = capacity
  }

  private func noteSeparator(_ bytes: UnsafePointer<UInt8>, _ place: Range<Int>, after last: Int) {
    keys.noteSeparator(
      UnsafeRawBufferPointer(start: bytes + place.lowerBound, count: place.count),
      to: record.pointee.key, after: last)
    let separators = keys.separators
    record.pointee.separators = UnsafePointer(separators.known)
    record.pointee.separator_count = separators.count
  }

  private func learnLastWanted() {
    if let wanted = members.last(where: { wantedKeys.contains($0.key) }) { lastWanted = wanted.key }
  }

  private var hasAllWanted: Bool {
    let members = members
    return wantedKeys.allSatisfy { key in members.contains { $0.key == key } }
  }

  func fail(
    _ bytes: UnsafePointer<UInt8>, _ index: Int, _ reason: JSONFailure, _ end: Int
  ) -> Int? {
    failure = Failure(offset: min(index, end), reason: reason, isCut: index >= end)
    if index < end, bytes[index] >= 0x80, UTF8Sequence.length(bytes + index) == 0 {
      failure.reason = .encoding
      failure.isCut = UTF8Sequence.isCut(bytes + index, count: end - index)
    }
    return nil
  }
}
