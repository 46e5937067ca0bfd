/// Writes a JSON value with other values in place of some of its parts: all other bytes stay, such as
/// the order of keys, white space and the text of numbers.
enum JSONEditing {
  /// - Parameters:
  ///   - bytes: a valid value as it is written.
  ///   - old: the value of `bytes`. The parts of it that are also written like those of `new` stay.
  static func replacing(
    _ bytes: ArraySlice<UInt8>, of old: Value, with new: Value
  ) -> [UInt8] {
    if old == new, old.isWritten(like: new) { return Array(bytes) }
    switch (old, new) {
    case (.record(let old), .record(let new)):
      if let members = JSONParts(bytes).members(), !members.isEmpty {
        return MemberEditing(bytes, members).replacing(old, with: new)
      }
    case (.array(let old), .array(let new)):
      if let elements = JSONParts(bytes).elements(), elements.count == old.count,
        !elements.isEmpty, !new.isEmpty
      {
        return replacing(elements, in: bytes, of: old, with: new)
      }
    default: break
    }
    return written(new, isSpaced: isSpaced(bytes))
  }

  private static func replacing(
    _ elements: [Range<Int>], in bytes: ArraySlice<UInt8>, of old: [Value], with new: [Value]
  ) -> [UInt8] {
    var result = Array(bytes[..<elements[0].lowerBound])
    for (index, value) in new.enumerated() {
      if index > 0 { result += separator(before: index, elements, in: bytes) }
      // Further elements have the style of the last one.
      let place = min(index, elements.count - 1)
      result += replacing(bytes[elements[place]], of: old[place], with: value)
    }
    return result + bytes[elements[elements.count - 1].upperBound...]
  }

  /// The comma before an element, with the white space around it.
  private static func separator(
    before index: Int, _ elements: [Range<Int>], in bytes: ArraySlice<UInt8>
  ) -> [UInt8] {
    let index = min(index, elements.count - 1)
    if index > 0 {
      return Array(bytes[elements[index - 1].upperBound..<elements[index].lowerBound])
    }
    // The only element: the white space after the bracket.
    let space = bytes[..<elements[0].lowerBound].drop { $0 != UInt8(ascii: "[") }.dropFirst()
    return [UInt8(ascii: ",")] + space
  }

  /// Whether spaces follow the colons.
  private static func isSpaced(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let members = JSONParts(bytes).members(), let first = members.first else { return false }
    return bytes[first.key.upperBound..<first.value.lowerBound].last != UInt8(ascii: ":")
  }

  /// A value on one line.
  /// - Parameter isSpaced: whether spaces follow colons and commas.
  static func written(_ value: Value, isSpaced: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, isSpaced, to: &bytes)
    return bytes
  }

  private static func append(_ value: Value, _ isSpaced: Bool, to bytes: inout [UInt8]) {
    let comma = isSpaced ? ", " : ","
    switch value {
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(contentsOf: comma.utf8) }
        append(element, isSpaced, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .record(let record):
      bytes.append(UInt8(ascii: "{"))
      for (index, (key, element)) in zip(record.keys, record.values).enumerated() {
        if index > 0 { bytes.append(contentsOf: comma.utf8) }
        key.appendJSON(to: &bytes)
        bytes.append(contentsOf: (isSpaced ? ": " : ":").utf8)
        append(element, isSpaced, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    default: value.appendJSON(to: &bytes)
    }
  }
}

/// Writes an object with other members, in the style of those that it has.
private struct MemberEditing {
  private let bytes: ArraySlice<UInt8>
  /// At least one.
  private let members: [JSONParts.Member]
  /// The decoded key of each member.
  private let keys: [String]

  init(_ bytes: ArraySlice<UInt8>, _ members: [JSONParts.Member]) {
    self.bytes = bytes
    self.members = members
    keys = members.map { member in
      guard case .string(let key)? = try? JSONFormat.value(Array(bytes[member.key])) else {
        return ""
      }
      return key
    }
  }

  func replacing(_ old: Record, with new: Record) -> [UInt8] {
    let start = members.first.map { bytes[..<$0.key.lowerBound] } ?? bytes[..<bytes.startIndex]
    var result = Array(start)
    var isFirst = true
    for (index, member) in members.enumerated() {
      guard let value = new[keys[index]], isLast(index) || value == old[keys[index]] else {
        continue
      }
      if !isFirst { result += separator(before: max(1, index)) }
      isFirst = false
      result += bytes[member.key.lowerBound..<member.value.lowerBound]
      // The last of duplicate members has the value.
      result +=
        isLast(index)
        ? JSONEditing.replacing(bytes[member.value], of: old[keys[index]] ?? .null, with: value)
        : Array(bytes[member.value])
    }
    let known = Set(keys)
    for (key, value) in zip(new.keys, new.values) where !known.contains(key) {
      if !isFirst { result += separator(before: 1) }
      isFirst = false
      key.appendJSON(to: &result)
      result += colon
      result += JSONEditing.written(value, isSpaced: colon.last != UInt8(ascii: ":"))
    }
    return result + bytes[(members.last?.value.upperBound ?? bytes.endIndex)...]
  }

  /// Whether no later member has the same key.
  private func isLast(_ index: Int) -> Bool { !keys[(index + 1)...].contains(keys[index]) }

  /// The comma before a member, with the white space around it.
  private func separator(before index: Int) -> [UInt8] {
    if members.indices.contains(index) {
      return Array(bytes[members[index - 1].value.upperBound..<members[index].key.lowerBound])
    }
    // The only member: the white space after the bracket.
    let space = bytes[..<members[0].key.lowerBound].drop { $0 != UInt8(ascii: "{") }.dropFirst()
    let blank = space.isEmpty && colon.last != UInt8(ascii: ":") ? [UInt8(ascii: " ")] : []
    return [UInt8(ascii: ",")] + blank + space
  }

  private var colon: [UInt8] {
    members.first.map { Array(bytes[$0.key.upperBound..<$0.value.lowerBound]) }
      ?? [UInt8(ascii: ":")]
  }
}
