internal import CScan

/// Decodes the values of some keys in one pass over the rows.
///
/// Each chunk of the rows has its own dictionaries, which are joined in the order of the rows.
struct JSONColumnDecoder {
  let table: JSONTable
  /// The keys; nil means the whole row.
  let keys: [String?]

  /// Number columns with more distinct values than this become keys of 64 bits.
  static let maxCodedNumbers = 1 << 14

  /// - Parameter anticipated: for each key, the parts of its column if they are already decoded.
  func decode(
    anticipated: [[JSONColumnPart]?], cancellation: Cancellation
  ) throws -> [KeyColumn] {
    var columns = try anticipated.map { try $0.flatMap(JSONColumnJoin.column) }
    let fresh = keys.indices.filter { anticipated[$0] == nil }
    if !fresh.isEmpty {
      let parts = try parts(
        of: fresh.map { keys[$0] }, keepsDictionary: false, cancellation: cancellation)
      for (place, parts) in zip(fresh, parts) {
        columns[place] = try JSONColumnJoin.column(of: parts)
      }
    }
    // Columns whose chunks became different kinds are decoded again with dictionaries.
    let left = columns.indices.filter { columns[$0] == nil }
    if !left.isEmpty {
      let again = try self.parts(
        of: left.map { keys[$0] }, keepsDictionary: true, cancellation: cancellation)
      for (place, parts) in zip(left, again) {
        columns[place] = try JSONColumnJoin.column(of: parts)
      }
    }
    return try columns.map { column in
      try cancellation.check()
      guard let column else { throw TableError.changed("the rows changed since they were loaded") }
      return column
    }
  }

  /// The parts of the column of each key.
  private func parts(
    of keys: [String?], keepsDictionary: Bool, cancellation: Cancellation
  ) throws -> [[JSONColumnPart]] {
    let groups = table.index.groups(Parallel.workers)
    let parts = WorkerSlots<[JSONColumnPart]>(groups.count)
    try Parallel.forEach(groups.count) { number, _ in
      var columns = JSONMemberColumns(
        of: keys, rows: groups[number].rows.count, keepsDictionary: keepsDictionary)
      try decode(groups[number], keys, into: &columns, cancellation: cancellation)
      parts[number] = columns.parts
    }
    return keys.indices.map { place in groups.indices.compactMap { parts[$0]?[place] } }
  }

  private func decode(
    _ group: JSONIndex.Group, _ keys: [String?], into columns: inout JSONMemberColumns,
    cancellation: Cancellation
  ) throws {
    // Known keys are numbered in advance, so that the needed numbers are known before the first
    // row.
    let numbering = JSONKeys(table.keys)
    var cursor = table.cursor(over: group, keys: numbering, cancellation: cancellation)
    if table.hasPlainLines, !keys.contains(nil) {
      cursor.scanner.neededKeys = keys.compactMap { $0.flatMap { numbering.number(of: $0) } }
    }
    for _ in group.rows {
      let row = try table.row(from: &cursor)
      columns.append(row, cursor.scanner)
    }
  }
}

/// Collects the values of some keys in the rows of one chunk of a text.
struct JSONMemberColumns: Sendable {
  private(set) var parts: [JSONColumnPart]
  private var lookups: [JSONMemberLookup]

  /// - Parameters:
  ///   - keys: nil means the whole row.
  ///   - rows: the expected number of rows, 0 if unknown.
  ///   - keepsDictionary: see ``JSONColumnPart``.
  init(of keys: [String?], rows: Int = 0, keepsDictionary: Bool = false) {
    parts = keys.map { _ in JSONColumnPart(rows: rows, keepsDictionary: keepsDictionary) }
    // Where all keys are decoded, they mostly have the order of the members.
    lookups = keys.enumerated().map { JSONMemberLookup(of: $1, at: $0) }
  }

  /// Appends the values of the row that was scanned last. Its bytes are padded as for the scanner.
  mutating func append(_ row: JSONCursor.Row, _ scanner: JSONScanner) {
    for index in parts.indices {
      parts[index].append(lookups[index].value(in: row, scanner))
    }
  }
}

/// Finds the member of a key, which is usually at the same position in every object.
private struct JSONMemberLookup: Sendable {
  private let name: String?
  /// The number of the key, once an object has it.
  private var key: Int?
  /// The number of known keys when the key was last looked up.
  private var knownKeys = 0
  private var position: Int

  /// - Parameters:
  ///   - name: nil means the whole row.
  ///   - position: the expected position among the members.
  init(of name: String?, at position: Int) {
    self.name = name
    self.position = position
  }

  /// The value in the row that was scanned last; nil if the row lacks the key.
  mutating func value(
    in row: JSONCursor.Row, _ scanner: JSONScanner
  ) -> UnsafeRawBufferPointer? {
    guard let name else { return row.bytes }
    if key == nil, knownKeys != scanner.keys.count {
      knownKeys = scanner.keys.count
      key = scanner.keys.number(of: name)
    }
    guard let key else { return nil }
    let members = scanner.members
    // If a key repeats, the last one counts.
    if position < members.count, members[position].key == key, !scanner.mayRepeatKeys {
      return scanner.bytes(of: members[position], in: row)
    }
    guard let found = members.lastIndex(where: { $0.key == key }) else { return nil }
    position = found
    return scanner.bytes(of: members[found], in: row)
  }
}

extension JSONScanner {
  /// The position of the value of a key in the row that was scanned last; nil if the row lacks it.
  func position(of key: String, in row: JSONCursor.Row) -> Int? {
    guard let number = keys.number(of: key) else { return nil }
    return members.last { $0.key == number }.map { row.position(of: $0.start) }
  }

  func bytes(of member: Member, in row: JSONCursor.Row) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: row.bytes[row.position(of: member.start)..<row.position(of: member.end)])
  }
}
