import Databases
import GRDBSQLite

/// Hashes the values of rows as SQLite stores them.
enum RowHashes {
  /// The digest of the rows of a statement: their row number, their key, then their values.
  ///
  /// - Returns: nil if a key is not the number of its row.
  static func read(_ rows: SQLiteStatement) throws -> TableDigest? {
    let statement = rows.statement
    let count = sqlite3_column_count(statement)
    var digest = TableDigest()
    while try rows.next() {
      let number = sqlite3_column_int64(statement, 0)
      guard sqlite3_column_type(statement, 1) == SQLITE_INTEGER,
        sqlite3_column_int64(statement, 1) == number
      else { return nil }
      var hash: UInt64 = 0
      for column in 2..<count { hash = mixed(hash, value(statement, column)) }
      digest.add(number, hash: hash)
    }
    return digest
  }

  /// The hash of one value; values of different types differ.
  private static func value(_ statement: OpaquePointer, _ column: Int32) -> UInt64 {
    let type = sqlite3_column_type(statement, column)
    let content: UInt64
    switch type {
    case SQLITE_NULL: content = 0
    case SQLITE_INTEGER: content = UInt64(bitPattern: sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: content = sqlite3_column_double(statement, column).bitPattern
    default:
      let start = sqlite3_column_blob(statement, column)
      content = hash(
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
    return mixed(content, UInt64(UInt32(bitPattern: type)))
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return mixed(hash, rest)
  }

  /// The product of two numbers in 128 bits, folded to 64 (the mixing step of wyhash).
  private static func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = (first ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: second ^ 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
