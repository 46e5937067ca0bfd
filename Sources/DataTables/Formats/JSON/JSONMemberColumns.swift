internal import CScan

/// The values of some keys in the records of one piece of a text, while they go by.
struct JSONMemberColumns: Sendable {
  private(set) var parts: [JSONColumnPart]
  private var places: [JSONMemberPlace]

  /// - Parameters:
  ///   - keys: nil stands for the rows themselves.
  ///   - rows: as far as is known how many there are.
  ///   - keepsDictionary: as of ``JSONColumnPart``.
  init(of keys: [String?], rows: Int = 0, keepsDictionary: Bool = false) {
    parts = keys.map { _ in JSONColumnPart(rows: rows, keepsDictionary: keepsDictionary) }
    places = keys.map { JSONMemberPlace(of: $0) }
  }

  /// Takes the values of the row that was scanned last. Its bytes are padded, as the scanner asks for.
  mutating func take(_ row: JSONCursor.Row, _ scanner: JSONScanner) {
    for index in parts.indices {
      parts[index].append(places[index].value(in: row, scanner))
    }
  }
}

/// Where the member of a key mostly stands in records.
struct JSONMemberPlace: Sendable {
  private let name: String?
  /// Its number, once a record had it.
  private var key: Int?
  /// How many keys there were when it was last looked for among them.
  private var known = 0
  private var place = 0

  /// - Parameter name: nil stands for the whole row.
  init(of name: String?) { self.name = name }

  /// The value in the row that was scanned last; nil when it has none.
  mutating func value(
    in row: JSONCursor.Row, _ scanner: JSONScanner
  ) -> UnsafeRawBufferPointer? {
    guard let name else { return row.bytes }
    if key == nil, known != scanner.keys.count {
      known = scanner.keys.count
      key = scanner.keys.number(of: name)
    }
    guard let key else { return nil }
    let members = scanner.members
    // Of keys that come twice the last counts.
    if place < members.count, members[place].key == key, !scanner.mayRepeatKeys {
      return scanner.bytes(of: members[place], in: row)
    }
    guard let found = members.lastIndex(where: { $0.key == key }) else { return nil }
    place = found
    return scanner.bytes(of: members[found], in: row)
  }
}

extension JSONScanner {
  func bytes(of member: Member, in row: JSONCursor.Row) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: row.bytes[row.place(of: member.start)..<row.place(of: member.end)])
  }
}
