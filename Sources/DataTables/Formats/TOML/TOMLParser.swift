/// Parses TOML 1.0, and the forms that TOML 1.1 adds: inline tables over several lines, the escapes
/// `\e` and `\xHH`, and times without seconds.
///
/// Written for this project rather than taken from toml++: that library ends the process for some
/// malformed texts, sorts the keys, and reports no lines.
struct TOMLParser {
  let bytes: UnsafeRawBufferPointer
  let limits: ReadLimits
  let cancellation: Cancellation
  var index = 0
  var line = 1
  var lineStart = 0
  var shapes = RecordShapes()
  private let root = TOMLTable(.header, line: 1)
  private var table: TOMLTable
  /// The number of keys of the last header.
  private var tableDepth = 0
  private var count = 0

  /// - Parameter bytes: UTF-8.
  init(_ bytes: UnsafeRawBufferPointer, limits: ReadLimits, cancellation: Cancellation) {
    self.bytes = bytes
    self.limits = limits
    self.cancellation = cancellation
    table = root
  }

  /// Parses all of the text.
  /// - Throws: ``TableError/format(_:at:)``, ``TableError/limit(_:setting:at:)``,
  ///   ``TableError/cancelled``.
  mutating func parse() throws -> TOMLTable {
    while true {
      try skipSpaceAndComments()
      guard index < bytes.count else { return root }
      try checkCancellation()
      if byte == UInt8(ascii: "[") {
        try parseHeader()
      } else {
        try parsePair(into: table, depth: tableDepth)
      }
      try expectLineEnd()
    }
  }

  mutating func checkCancellation() throws {
    count += 1
    if count & 0xFFF == 0 { try cancellation.check() }
  }

  // MARK: Headers

  private mutating func parseHeader() throws {
    let line = line
    let start = index
    index += 1
    let isArray = byte == UInt8(ascii: "[")
    if isArray { index += 1 }
    let keys = try parseKey()
    try expect("]", "after the name of a table")
    if isArray { try expect("]", "after the name of an array of tables") }
    tableDepth = keys.count + (isArray ? 1 : 0)
    try check(depth: tableDepth)
    var parent = root
    for (place, key) in keys.dropLast().enumerated() {
      parent = try child(key, of: parent, named: keys[...place], line: line, at: start)
    }
    guard let last = keys.last else { return }
    table =
      isArray
      ? try appendTable(last, to: parent, named: keys, line: line, at: start)
      : try openTable(last, of: parent, named: keys, line: line, at: start)
  }

  /// A table that a header names before the last key.
  private func child(
    _ key: String, of parent: TOMLTable, named keys: ArraySlice<String>, line: Int, at start: Int
  ) throws -> TOMLTable {
    switch parent.member(key) {
    case .table(let table): return table
    case .tables(let tables):
      if let last = tables.last { return last }
    case nil:
      let table = TOMLTable(.implied, line: line)
      parent.append(key, .table(table), line: line)
      return table
    case .value, .array: break
    }
    throw failure(
      "`\(name(keys))` is not a table: line \(lineText(key, parent)) sets it", at: start)
  }

  private func openTable(
    _ key: String, of parent: TOMLTable, named keys: [String], line: Int, at start: Int
  ) throws -> TOMLTable {
    switch parent.member(key) {
    case .table(let table) where table.origin == .implied:
      table.origin = .header
      return table
    case nil:
      let table = TOMLTable(.header, line: line)
      parent.append(key, .table(table), line: line)
      return table
    default:
      throw failure(
        "`\(name(keys[...]))` of line \(lineText(key, parent)) is defined again", at: start)
    }
  }

  private func appendTable(
    _ key: String, to parent: TOMLTable, named keys: [String], line: Int, at start: Int
  ) throws -> TOMLTable {
    let table = TOMLTable(.header, line: line)
    guard let position = parent.position(of: key) else {
      parent.append(key, .tables([table]), line: line)
      return table
    }
    guard case .tables = parent.members[position] else {
      throw failure(
        "`\(name(keys[...]))` is not an array of tables: line \(lineText(key, parent)) defines it",
        at: start)
    }
    parent.append(table, toTablesAt: position)
    return table
  }

  // MARK: Keys

  /// A key and its value.
  /// - Parameter depth: the depth of the table.
  mutating func parsePair(into table: TOMLTable, depth: Int) throws {
    let line = line
    let start = index
    let keys = try parseKey()
    try check(depth: depth + keys.count)
    var parent = table
    for (place, key) in keys.dropLast().enumerated() {
      parent = try extend(key, of: parent, named: keys[...place], line: line, at: start)
    }
    guard let key = keys.last else { return }
    if parent.position(of: key) != nil {
      throw failure(
        "the key `\(name(keys[...]))` of line \(lineText(key, parent)) is set again",
        at: start)
    }
    try expect("=", "after a key")
    skipSpace()
    parent.append(key, try parseMember(depth: depth + keys.count), line: line)
  }

  /// A table that a dotted key names before the last key: a new one, or one of dotted keys.
  private func extend(
    _ key: String, of parent: TOMLTable, named keys: ArraySlice<String>, line: Int, at start: Int
  ) throws -> TOMLTable {
    switch parent.member(key) {
    case .table(let table) where table.origin == .dottedKey: return table
    case nil:
      let table = TOMLTable(.dottedKey, line: line)
      parent.append(key, .table(table), line: line)
      return table
    default:
      throw failure(
        "a dotted key cannot add to `\(name(keys))`, which line \(lineText(key, parent)) defines",
        at: start)
    }
  }

  /// The parts of a key; the index is then after white space that follows it.
  private mutating func parseKey() throws -> [String] {
    var keys: [String] = []
    while true {
      skipSpace()
      keys.append(try parseSimpleKey())
      try check(depth: keys.count)
      skipSpace()
      guard byte == UInt8(ascii: ".") else { return keys }
      index += 1
    }
  }

  private mutating func parseSimpleKey() throws -> String {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try parseString() }
    let start = index
    while index < bytes.count, Self.isBare(bytes[index]) { index += 1 }
    guard index > start else {
      throw failure("expected a key of letters, digits, `_` and `-` or in quotes, found \(found)")
    }
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  // MARK: Messages

  private func name(_ keys: ArraySlice<String>) -> String {
    ObjectKeyPath(keys.map { .key($0) }).description
  }

  private func lineText(_ key: String, _ table: TOMLTable) -> String {
    (table.line(of: key) ?? table.line).grouped
  }

  func check(depth: Int) throws {
    let limit = DepthLimit(limits, supported: JSONScanner.maxDepth)
    if depth > limit.levels { throw limit.error(at: position(of: index)) }
  }
}
