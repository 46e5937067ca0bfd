internal import CScan

/// The rows that one worker found in its chunk of a JSON text.
struct JSONChunk: Sendable {
  /// Offsets in the text of every ``JSONIndex/spacing``-th row.
  var anchors: [Int] = []
  var count = 0
  /// The offset of the end of the rows.
  var end = 0
  private(set) var keys: [String] = []
  var lines = 0
  /// Columns of keys that will be accessed.
  var anticipated: JSONMemberColumns?
  private(set) var rejects: [Reject] = []
  private(set) var rejected = 0
  /// The number of rows that are not objects.
  private(set) var otherRows = 0
  private(set) var firstOther: Int?
  /// The number of rows with a duplicate key.
  private(set) var repeating = 0
  private(set) var firstRepeating: Int?
  private(set) var loneSurrogates = 0
  private(set) var firstLoneSurrogate: Int?
  /// The tallies of the keys in the sample; positions are offsets in the text.
  private(set) var tallies: [JSONTally] = []
  /// The numbers of the keys of accepted rows. Keys that only rejected lines have are numbered too,
  /// but are not included.
  private var numbers: [Int] = []
  /// By key number, whether `numbers` contains it.
  private var isNoted: [Bool] = []

  mutating func noteOther(_ offset: Int) {
    otherRows += 1
    firstOther = firstOther ?? offset
  }

  mutating func noteLoneSurrogates(_ count: Int, _ offset: Int) {
    loneSurrogates += count
    firstLoneSurrogate = firstLoneSurrogate ?? offset
  }

  /// Counts the object if it has a duplicate key.
  mutating func noteRepeatedKeys(_ scanner: JSONScanner, _ offset: Int) {
    guard scanner.mayRepeatKeys else { return }
    let members = scanner.members
    guard Set(members.lazy.map(\.key)).count < members.count else { return }
    repeating += 1
    firstRepeating = firstRepeating ?? offset
  }

  /// Adds the keys of the object that no previous row has.
  mutating func noteKeys(_ scanner: JSONScanner) {
    let numbered = scanner.keys.count
    guard numbers.count < numbered else { return }
    if isNoted.count < numbered {
      isNoted.append(contentsOf: repeatElement(false, count: numbered - isNoted.count))
    }
    for member in scanner.members
    where !isNoted[member.key] {
      isNoted[member.key] = true
      numbers.append(member.key)
    }
  }

  mutating func finish(_ names: [String]) {
    keys = numbers.map { names[$0] }
    tallies = numbers.filter { $0 < tallies.count }.map { tallies[$0] }
  }

  mutating func sample(_ row: JSONCursor.Row, _ scanner: JSONScanner) {
    for member in scanner.members {
      while tallies.count <= member.key { tallies.append(JSONTally()) }
      let value = scanner.bytes(of: member, in: row)
      if let kind = JSONTally.kind(of: value) { tallies[member.key].add(kind, at: row.offset) }
    }
  }

  /// - Throws: ``TableError/format(_:at:)`` if the load is strict.
  mutating func reject(
    _ row: JSONCursor.Row, _ fault: JSONCursor.Fault, in store: any ByteStore, isStrict: Bool
  ) throws {
    if isStrict {
      throw TableError.format(
        fault.message, at: try TextPosition(of: row.offset + fault.column - 1, in: store))
    }
    rejected += 1
    guard rejects.count < LoadReport.maxRejects else { return }
    // 200 characters have up to 800 bytes.
    let bytes = try store.bytes(row.offset..<min(store.count, row.offset + 800))
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    rejects.append(
      Reject(
        line: row.line, offset: row.offset, column: fault.column, reason: fault.message,
        text: String(String(decoding: line, as: UTF8.self).prefix(200))))
  }
}
