internal import CScan

/// What one worker found in its stretch of a JSON text.
struct JSONPiece: Sendable {
  /// Offsets in the text of every ``JSONIndex/spacing``-th row.
  var anchors: [Int] = []
  var count = 0
  /// Where the rows end.
  var end = 0
  private(set) var keys: [String] = []
  var lines = 0
  /// Of keys that are going to be asked for.
  var anticipated: JSONMemberColumns?
  private(set) var rejects: [Reject] = []
  private(set) var rejected = 0
  /// Rows that are not records.
  private(set) var otherRows = 0
  private(set) var firstOther: Int?
  /// Rows in which a key comes twice.
  private(set) var repeating = 0
  private(set) var firstRepeating: Int?
  private(set) var loneSurrogates = 0
  private(set) var firstLone: Int?
  /// Of the keys that came in the sample; places are offsets in the text.
  private(set) var tallies: [JSONTally] = []
  /// The numbers of the keys that rows have; a line that is rejected may have numbered more.
  private var numbers: [Int] = []
  /// By number, whether `numbers` has it.
  private var isNoted: [Bool] = []

  mutating func noteOther(_ offset: Int) {
    otherRows += 1
    firstOther = firstOther ?? offset
  }

  mutating func noteLone(_ count: Int, _ offset: Int) {
    loneSurrogates += count
    firstLone = firstLone ?? offset
  }

  /// Counts the record when one of its keys comes twice.
  mutating func noteRepeatedKeys(_ scanner: JSONScanner, _ offset: Int) {
    guard scanner.mayRepeatKeys else { return }
    let members = scanner.members
    guard Set(members.lazy.map(\.key)).count < members.count else { return }
    repeating += 1
    firstRepeating = firstRepeating ?? offset
  }

  /// Takes over keys that no row before had.
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

  /// - Throws: ``TableError/format(_:at:)`` when no row may be rejected.
  mutating func reject(
    _ row: JSONCursor.Row, _ fault: JSONCursor.Fault, in store: any ByteStore, isStrict: Bool
  ) throws {
    if isStrict {
      throw TableError.format(
        fault.message, at: try TextPosition(of: row.offset + fault.column - 1, in: store))
    }
    rejected += 1
    guard rejects.count < LoadReport.maxRejects else { return }
    // Characters have up to four bytes.
    let bytes = try store.bytes(row.offset..<min(store.count, row.offset + 800))
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    rejects.append(
      Reject(
        line: row.line, offset: row.offset, column: fault.column, reason: fault.message,
        text: String(String(decoding: line, as: UTF8.self).prefix(200))))
  }
}
