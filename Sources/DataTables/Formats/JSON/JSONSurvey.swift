/// The structure of a JSON text that begins with an object.
struct JSONSurvey {
  fileprivate(set) var members = MemberSurvey()
  /// Whether the object is a collection of features in GeoJSON (RFC 7946).
  fileprivate(set) var isFeatureCollection = false
  /// How the values are arranged if the text continues after the object; nil if it ends.
  fileprivate(set) var following: JSONLayout?

  /// - Returns: nil for a text that begins with another value.
  /// - Complexity: O(bytes of the object); memory for one window and a few keys.
  /// - Throws: ``TableError`` for a text whose brackets, quotes or commas are wrong.
  init?(_ text: any ByteStore, limits: ReadLimits, cancellation: Cancellation) throws {
    var locator = JSONLocator(text, paths: [], limits: limits, cancellation: cancellation)
    guard let survey = try locator.survey() else { return nil }
    self = survey
  }

  fileprivate init() {}
}

extension JSONLocator {
  /// Larger first values are assumed to extend over several lines.
  private static let maxLine = 64 << 10

  fileprivate mutating func survey() throws -> JSONSurvey? {
    guard try window.nextToken() == UInt8(ascii: "{") else { return nil }
    var survey = JSONSurvey()
    let start = window.offset
    try forEachMember(depth: 0) { locator, key in
      if key == "type", try locator.window.nextToken() == UInt8(ascii: "\"") {
        survey.isFeatureCollection = try locator.string() == "FeatureCollection"
        survey.members.add(key, .scalar)
        return
      }
      let isSearched = survey.members.count < MemberSurvey.maxSearched
      survey.members.add(key, try locator.kindOfMember(isSearched: isSearched))
    }
    survey.following = try followingLayout(after: start..<window.offset)
    return survey
  }

  /// Calls `body` before the value of each member; `body` skips the value.
  private mutating func forEachMember(
    depth: Int, _ body: (inout JSONLocator, _ key: String) throws -> Void
  ) throws {
    try open(depth)
    if try window.nextToken() == UInt8(ascii: "}") { return window.skip() }
    repeat {
      guard try window.nextToken() == UInt8(ascii: "\"") else { throw try failure(.key) }
      let key = try string()
      guard try window.nextToken() == UInt8(ascii: ":") else { throw try failure(.colon) }
      window.skip()
      try body(&self, key)
    } while try !closes(with: "}", orFails: .commaOrBrace)
  }

  /// The kind of the value at the position, which is skipped.
  /// - Parameter isSearched: whether an object is searched for arrays of records.
  private mutating func kindOfMember(isSearched: Bool) throws -> MemberKind {
    switch try window.nextToken() {
    case UInt8(ascii: "[")?:
      return try isRecordArray(depth: 1) ? .recordArray : .otherArray
    case UInt8(ascii: "{")? where isSearched:
      var arrays: [String] = []
      var firstKey: String?
      try forEachMember(depth: 1) { locator, key in
        firstKey = firstKey ?? key
        guard try locator.window.nextToken() == UInt8(ascii: "[") else {
          return try locator.skipValue(depth: 2)
        }
        let isRecordArray = try locator.isRecordArray(depth: 2)
        if isRecordArray, arrays.count < 2 { arrays.append(key) }
      }
      if arrays.count == 1 { return .recordWithArray(arrays[0]) }
      return firstKey == "0" ? .numberedRecord : .record
    case UInt8(ascii: "{")?:
      try skipValue(depth: 1)
      return .record
    default:
      try skipValue(depth: 1)
      return .scalar
    }
  }

  /// Whether the first element of the array at the position is an object. The array is skipped.
  private mutating func isRecordArray(depth: Int) throws -> Bool {
    try open(depth)
    let first = try window.nextToken()
    if first == UInt8(ascii: "]") {
      window.skip()
      return false
    }
    try skipValue(depth: depth, upTo: UInt8(ascii: "]"))
    return first == UInt8(ascii: "{")
  }

  /// The layout of the values after the first one; nil if the text ends, or if it continues with
  /// something other than a value.
  private mutating func followingLayout(after first: Range<Int>) throws -> JSONLayout? {
    guard let next = try window.nextToken() else { return nil }
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
      UInt8(ascii: "n"):
      break
    default: return nil
    }
    guard first.count <= Self.maxLine else { return .sequence }
    let gap = first.upperBound..<min(window.offset, first.upperBound + Self.maxLine)
    func hasLineEnd(_ range: Range<Int>) throws -> Bool {
      try window.store.bytes(range).contains { $0 == 0x0A || $0 == 0x0D }
    }
    return try !hasLineEnd(first) && hasLineEnd(gap) ? .lines : .sequence
  }
}

extension JSONLocator {
  /// The offsets of the values of the members of an object at the start of a range, in order.
  static func memberStarts(
    in text: any ByteStore, _ range: Range<Int>, limits: ReadLimits
  ) throws -> [Int] {
    var locator = JSONLocator(
      text, paths: [], limits: limits, cancellation: Cancellation(), window: 256 << 10)
    locator.window.move(to: range.lowerBound)
    var starts: [Int] = []
    guard try locator.window.nextToken() == UInt8(ascii: "{") else { return [] }
    try locator.forEachMember(depth: 0) { locator, _ in
      _ = try locator.window.nextToken()
      starts.append(locator.window.offset)
      try locator.skipValue(depth: 1)
    }
    return starts
  }

  /// The keys of an object at the start of a range, each once; empty for another value.
  static func memberKeys(
    in text: any ByteStore, _ range: Range<Int>, limits: ReadLimits, cancellation: Cancellation
  ) throws -> [String] {
    var locator = JSONLocator(text, paths: [], limits: limits, cancellation: cancellation)
    locator.window.move(to: range.lowerBound)
    guard try locator.window.nextToken() == UInt8(ascii: "{") else { return [] }
    var keys: [String] = []
    var known: Set<String> = []
    try locator.forEachMember(depth: 0) { locator, key in
      if known.insert(key).inserted { keys.append(key) }
      try locator.skipValue(depth: 1)
    }
    return keys
  }
}
