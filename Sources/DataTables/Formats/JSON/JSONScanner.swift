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
  struct Member {
    /// A number of ``JSONKeys``.
    var key: Int
    var valueStart: Int
    var valueEnd: Int
  }

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
  private(set) var loneSurrogates = 0
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

    value: while true {
      if isGuessed {
        isGuessed = false
        // There may be more space than the last time.
        if bytes[index] <= 0x20 {
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

  private func fail(
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

// MARK: - Strings

extension JSONScanner {
  /// The index behind the closing quote; `index` is inside the string.
  private func string(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> Int? {
    var index = Self.plainEnd(bytes, index)
    while bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] >= 0x80 {
        let length = UTF8Sequence.length(bytes + index)
        guard length > 0 else { return fail(bytes, index, .encoding, end) }
        index += length
        if bytes[index] >= 0x80 { continue }
      } else if bytes[index] == UInt8(ascii: "\\") {
        guard let escapeEnd = escape(bytes, index + 1, end) else { return nil }
        index = escapeEnd
      } else {
        return fail(bytes, index, .control, end)
      }
      index = Self.plainEnd(bytes, index)
    }
    return index + 1
  }

  private func escape(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> Int? {
    switch bytes[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index + 1
    case UInt8(ascii: "u"): break
    default: return fail(bytes, index, .escape, end)
    }
    var unit: UInt16 = 0
    for place in index + 1...index + 4 {
      guard let digit = Self.hexadecimal(bytes[place]) else {
        return fail(bytes, place, .hexadecimal, end)
      }
      unit = unit << 4 | digit
    }
    let isLead = unit & 0xFC00 == 0xD800
    if unit & 0xFC00 == 0xDC00 || isLead && !Self.isTrailEscape(bytes + index + 5) {
      loneSurrogates += 1
    }
    // A trail is skipped with its lead, so that it does not count as a lone one.
    return isLead && Self.isTrailEscape(bytes + index + 5) ? index + 11 : index + 5
  }

  static func isTrailEscape(_ bytes: UnsafePointer<UInt8>) -> Bool {
    // In this order, as the bytes behind the first that differs may not be readable.
    bytes[0] == UInt8(ascii: "\\") && bytes[1] == UInt8(ascii: "u")
      && bytes[2] | 0x20 == UInt8(ascii: "d") && (hexadecimal(bytes[3]) ?? 0) >= 0xC
      && hexadecimal(bytes[4]) != nil && hexadecimal(bytes[5]) != nil
  }

  static func hexadecimal(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte & 15)
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
      UInt16(byte & 15) + 9
    default: nil
    }
  }

  /// The index of the first quote, backslash, control character or byte that is not ASCII.
  @inline(__always)
  static func plainEnd(_ bytes: UnsafePointer<UInt8>, _ start: Int) -> Int {
    var index = start
    while true {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self))
      let quotes = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
      let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
      let controls = word &- 0x2020_2020_2020_2020
      // Borrows make false finds, but only above the first true one.
      let found = (quotes | backslashes | controls | word) & 0x8080_8080_8080_8080
      if found != 0 { return index + found.trailingZeroBitCount >> 3 }
      index += 8
    }
  }
}

// MARK: - Other tokens

extension JSONScanner {
  @inline(__always)
  private static func skipSpace(
    _ bytes: UnsafePointer<UInt8>, _ index: inout Int, _ newlines: Bool
  ) {
    while bytes[index] <= 0x20, isSpace(bytes[index], newlines) { index += 1 }
  }

  @inline(__always)
  static func isSpace(_ byte: UInt8, _ newlines: Bool) -> Bool {
    byte == 0x20 || byte == 0x09 || newlines && (byte == 0x0A || byte == 0x0D)
  }

  @inline(__always)
  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The index of the first line feed or return, or `end`.
  static func lineEnd(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self))
      let controls = (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
      // Borrows make false finds, but only above the first true one.
      if controls == 0 {
        index += 8
      } else {
        index += controls.trailingZeroBitCount >> 3
        if index >= end || isLineEnd(bytes[index]) { break }
        index += 1
      }
    }
    return min(index, end)
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// The index behind a number of up to seven digits on each side of its point, found without a
  /// branch on how many; nil when it is not certain that there is one.
  @inline(__always)
  private static func shortNumber(_ bytes: UnsafePointer<UInt8>, _ start: Int) -> Int? {
    let first = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
    let count = digits(bytes + first)
    guard count &- 1 < 7, count > 0, bytes[first] != UInt8(ascii: "0") || count == 1 else {
      return nil
    }
    var end = first + count
    if bytes[end] == UInt8(ascii: ".") {
      let count = digits(bytes + end + 1)
      guard count &- 1 < 7, count > 0 else { return nil }
      end += 1 + count
    }
    return bytes[end] | 0x20 == UInt8(ascii: "e") ? nil : end
  }

  /// How many digits stand here; 8 for as many or more.
  @inline(__always)
  private static func digits(_ bytes: UnsafePointer<UInt8>) -> Int {
    let word = UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    let digits = word ^ 0x3030_3030_3030_3030
    // Carries make false finds, but only above the first true one.
    let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount >> 3
  }

  /// The index behind the number, or where it goes wrong and how.
  @inline(__always)
  private static func number(
    _ bytes: UnsafePointer<UInt8>, _ start: Int
  ) -> (Int, JSONFailure?) {
    var index = start
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    if bytes[index] == UInt8(ascii: "0") {
      index += 1
      if isDigit(bytes[index]) { return (index, .leadingZero) }
    } else {
      guard isDigit(bytes[index]) else { return (index, .digit) }
      repeat { index += 1 } while isDigit(bytes[index])
    }
    if bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard isDigit(bytes[index]) else { return (index, .digit) }
      repeat { index += 1 } while isDigit(bytes[index])
    }
    if bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
      guard isDigit(bytes[index]) else { return (index, .digit) }
      repeat { index += 1 } while isDigit(bytes[index])
    }
    return (index, nil)
  }

  /// The index behind `true`, `false` or `null`, or of the first byte that differs.
  private static func word(_ bytes: UnsafePointer<UInt8>, _ start: Int) -> (Int, Bool) {
    let word: StaticString =
      switch bytes[start] {
      case UInt8(ascii: "t"): "true"
      case UInt8(ascii: "f"): "false"
      default: "null"
      }
    for place in 0..<word.utf8CodeUnitCount where bytes[start + place] != word.utf8Start[place] {
      return (start + place, false)
    }
    return (start + word.utf8CodeUnitCount, true)
  }
}
