internal import CScan

/// Finds the end of JSON values and checks every byte of them (RFC 8259), without recursion and
/// without making anything of them but the places of a record's own keys and values.
///
/// - Escapes of lone surrogates are taken, as the grammar has them; they are read as U+FFFD.
/// - Precondition: at least ``padding`` zero bytes stand behind the bytes to scan. As no text has a
///   zero byte, every loop ends there without asking for the end.
final class JSONScanner {
  static let padding = 16
  /// Deeper values are not taken whatever the limits say: reading them back recurses.
  static let deepest = 2_048

  /// A key of the outermost record and its value, as offsets from where the scan was told to read.
  /// The key is a number of ``JSONKeys``.
  typealias Member = ds_member

  struct Failure {
    var offset: Int
    var reason: JSONFailure
    /// Whether more bytes might mend it.
    var isCut: Bool
  }

  let keys: JSONKeys
  private let newlinesAreSpace: Bool
  private let depthLimit: Int
  /// For each level from 1, whether it is a record.
  private let levels: UnsafeMutablePointer<Bool>

  /// The members of the record that was scanned last, in their order, duplicates among them.
  private(set) var members: UnsafeMutablePointer<Member>
  private(set) var memberCount = 0
  private var memberCapacity = 32
  var loneSurrogates = 0
  /// Whether the last record's keys do not come in the order of their numbers; only then one of them
  /// can have come twice.
  private(set) var mayRepeatKeys = false
  /// Keys whose values are all that is wanted of a record; where they are found, ``scan`` may stop
  /// behind the last of them. None for whole records.
  var wantedKeys: [Int] = []
  /// Of the wanted keys the one that came last in a record before.
  private var lastWanted = -1
  /// Whether the last scan stopped inside of the record, at what it gave for the end.
  private(set) var didStopEarly = false
  private(set) var failure = Failure(offset: 0, reason: .value, isCut: false)

  /// - Parameters:
  ///   - newlinesAreSpace: whether a value may go over several lines.
  ///   - depthLimit: the levels of arrays and records a value may have.
  init(keys: JSONKeys, newlinesAreSpace: Bool, depthLimit: Int) {
    self.keys = keys
    self.newlinesAreSpace = newlinesAreSpace
    self.depthLimit = max(0, min(depthLimit, Self.deepest))
    levels = .allocate(capacity: self.depthLimit + 1)
    levels.initialize(repeating: false, count: self.depthLimit + 1)
    members = .allocate(capacity: memberCapacity)
  }

  deinit {
    levels.deallocate()
    members.deallocate()
  }

  /// Where the value that begins at `start` ends; nil when it is malformed or does not end before
  /// `end`, as ``failure`` tells.
  ///
  /// A number that goes up to `end` may go on behind it.
  func scan(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    let levels = levels
    let depthLimit = depthLimit
    let newlinesAreSpace = newlinesAreSpace
    var guesses = keys.guesses
    var separators = keys.separators
    var members = members
    var memberCount = 0
    var lastKey = -1
    var greatestKey = -1
    var index = start
    var depth = 0
    var isRecord = false
    // Where the separator begins that leads to the next value of the outermost record.
    var separatorStart = start
    loneSurrogates = 0
    mayRepeatKeys = false
    didStopEarly = false
    let lastWanted = lastWanted

    if depthLimit > 0, let first = separators.match(bytes + index, after: -1) {
      index += first.length
      lastKey = first.key
      greatestKey = lastKey
      members[0] = Member(key: lastKey, valueStart: index, valueEnd: index)
      memberCount = 1
      depth = 1
      isRecord = true
      levels[1] = true
    }
    // Whether the bytes up to the value were those that stood there in a record before.
    var isGuessed = depth == 1
    var run = ds_json_run()
    run.bytes = bytes
    run.lastWanted = lastWanted

    value: while true {
      var isBehindValue = false
      if isGuessed {
        isGuessed = false
        run.separators = UnsafePointer(separators.slots)
        run.separatorCount = separators.capacity
        run.members = members
        run.capacity = memberCapacity
        run.count = memberCount
        run.index = index
        run.lastKey = lastKey
        run.greatestKey = greatestKey
        isBehindValue = ds_json_members(&run) != 0
        memberCount = run.count
        index = run.index
        lastKey = run.lastKey
        greatestKey = run.greatestKey
        if run.mayRepeatKeys != 0 { mayRepeatKeys = true }
        // There may be more space than the last time.
        if !isBehindValue, bytes[index] <= 0x20 {
          Self.skipSpace(bytes, &index, newlinesAreSpace)
          members[memberCount - 1] = Member(key: lastKey, valueStart: index, valueEnd: index)
        }
      } else if isRecord {
        Self.skipSpace(bytes, &index, newlinesAreSpace)
        guard bytes[index] == UInt8(ascii: "\"") else { return fail(bytes, index, .key, end) }
        let keyStart = index
        let previousKey = lastKey
        if depth == 1 {
          if memberCount == memberCapacity { members = growMembers(memberCount) }
          let key = guesses.match(bytes + index, after: lastKey)
          if key >= 0 {
            index += guesses.length(of: key)
            lastKey = key
          } else {
            guard let keyEnd = string(bytes, index + 1, end) else { return nil }
            index = keyEnd
            lastKey = keys.number(
              of: UnsafeRawBufferPointer(start: bytes + keyStart, count: keyEnd - keyStart),
              after: lastKey)
            guesses = keys.guesses
          }
        } else {
          guard let keyEnd = string(bytes, index + 1, end) else { return nil }
          index = keyEnd
        }
        Self.skipSpace(bytes, &index, newlinesAreSpace)
        guard bytes[index] == UInt8(ascii: ":") else { return fail(bytes, index, .colon, end) }
        index += 1
        Self.skipSpace(bytes, &index, newlinesAreSpace)
        if depth == 1 {
          if lastKey <= greatestKey { mayRepeatKeys = true } else { greatestKey = lastKey }
          members[memberCount] = Member(key: lastKey, valueStart: index, valueEnd: index)
          memberCount += 1
          keys.noteSeparator(
            UnsafeRawBufferPointer(start: bytes + separatorStart, count: index - separatorStart),
            to: lastKey, after: previousKey)
          separators = keys.separators
        }
      } else {
        Self.skipSpace(bytes, &index, newlinesAreSpace)
      }

      switch bytes[index] {
      case _ where isBehindValue: break
      case UInt8(ascii: "\""):
        let plain = Self.plainEnd(bytes, index + 1)
        if bytes[plain] == UInt8(ascii: "\"") {
          index = plain + 1
        } else {
          guard let stringEnd = string(bytes, plain, end) else { return nil }
          index = stringEnd
        }
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
          continue value
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

      closing: while true {
        if depth == 0 {
          self.memberCount = memberCount
          if !wantedKeys.isEmpty { learnLastWanted() }
          return index
        }
        if depth == 1, isRecord {
          members[memberCount - 1].valueEnd = index
          if lastKey == lastWanted {
            self.memberCount = memberCount
            if hasAllWanted {
              didStopEarly = true
              return index
            }
          }
          if memberCount < memberCapacity,
            let next = separators.match(bytes + index, after: lastKey)
          {
            index += next.length
            lastKey = next.key
            if lastKey <= greatestKey { mayRepeatKeys = true } else { greatestKey = lastKey }
            members[memberCount] = Member(key: lastKey, valueStart: index, valueEnd: index)
            memberCount += 1
            isGuessed = true
            continue value
          }
          separatorStart = index
        }
        Self.skipSpace(bytes, &index, newlinesAreSpace)
        let byte = bytes[index]
        if byte == UInt8(ascii: ",") {
          index += 1
          continue value
        }
        guard byte == UInt8(ascii: isRecord ? "}" : "]") else {
          return fail(bytes, index, isRecord ? .commaOrBrace : .commaOrBracket, end)
        }
        index += 1
        depth -= 1
        isRecord = levels[depth]
      }
    }
  }

  private func learnLastWanted() {
    let wanted = UnsafeBufferPointer(start: members, count: memberCount)
      .last { wantedKeys.contains($0.key) }
    if let wanted { lastWanted = wanted.key }
  }

  private var hasAllWanted: Bool {
    let members = UnsafeBufferPointer(start: members, count: memberCount)
    return wantedKeys.allSatisfy { key in members.contains { $0.key == key } }
  }

  private func growMembers(_ count: Int) -> UnsafeMutablePointer<Member> {
    let grown = UnsafeMutablePointer<Member>.allocate(capacity: memberCapacity * 2)
    grown.update(from: members, count: count)
    members.deallocate()
    members = grown
    memberCapacity *= 2
    return grown
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
