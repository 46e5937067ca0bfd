/// Finds the parts of a JSON value that is known to be valid, without reading their values.
struct JSONParts {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// A member of an object.
  struct Member {
    /// With its quotes.
    let key: Range<Int>
    let value: Range<Int>
  }

  /// The members of an object, including duplicates; nil if the value is not an object.
  func members() -> [Member]? {
    guard var place = opening(UInt8(ascii: "{")) else { return nil }
    var members: [Member] = []
    while place < bytes.endIndex, bytes[place] == UInt8(ascii: "\"") {
      let key = place..<end(ofValueAt: place)
      let colon = space(from: key.upperBound)
      let start = space(from: colon + 1)
      guard start < bytes.endIndex else { return nil }
      let value = start..<end(ofValueAt: start)
      members.append(Member(key: key, value: value))
      place = space(from: value.upperBound)
      guard place < bytes.endIndex, bytes[place] == UInt8(ascii: ",") else { break }
      place = space(from: place + 1)
    }
    return members
  }

  /// The elements of an array; nil if the value is not an array.
  func elements() -> [Range<Int>]? {
    guard var place = opening(UInt8(ascii: "[")) else { return nil }
    var elements: [Range<Int>] = []
    while place < bytes.endIndex, bytes[place] != UInt8(ascii: "]") {
      let element = place..<end(ofValueAt: place)
      elements.append(element)
      place = space(from: element.upperBound)
      guard place < bytes.endIndex, bytes[place] == UInt8(ascii: ",") else { break }
      place = space(from: place + 1)
    }
    return elements
  }

  /// The first part after an opening bracket; nil without the bracket.
  private func opening(_ bracket: UInt8) -> Int? {
    let start = space(from: bytes.startIndex)
    guard start < bytes.endIndex, bytes[start] == bracket else { return nil }
    return space(from: start + 1)
  }

  /// The first place from a place on that is not white space.
  private func space(from place: Int) -> Int {
    var place = place
    while place < bytes.endIndex, JSONScanner.isSpace(bytes[place], true) { place += 1 }
    return min(place, bytes.endIndex)
  }

  /// The end of the value at a place. Brackets are counted, so that nesting needs no recursion.
  private func end(ofValueAt start: Int) -> Int {
    var place = start
    var depth = 0
    while place < bytes.endIndex {
      switch Unicode.Scalar(bytes[place]) {
      case "\"":
        place = end(ofStringAt: place)
        if depth == 0 { return place }
        continue
      case "{", "[": depth += 1
      case "}", "]":
        if depth <= 1 { return depth == 1 ? place + 1 : place }
        depth -= 1
      case ",", ":", " ", "\t", "\n", "\r":
        if depth == 0 { return place }
      default: break
      }
      place += 1
    }
    return bytes.endIndex
  }

  private func end(ofStringAt start: Int) -> Int {
    var place = start + 1
    while place < bytes.endIndex {
      switch bytes[place] {
      case UInt8(ascii: "\\"): place += 2
      case UInt8(ascii: "\""): return place + 1
      default: place += 1
      }
    }
    return bytes.endIndex
  }
}
