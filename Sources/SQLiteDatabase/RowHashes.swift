import Databases
import GRDBSQLite

/// Hashes the values of rows as SQLite stores them.
final class RowHashes {
  private var digest = TableDigest()
  /// The number of the row that is being hashed; nil before the first one.
  private var number: Int64?
  private var hash: UInt64 = 0
  private var hasOtherKeys = false

  /// The digest of some rows, in the order of their numbers.
  ///
  /// - Parameters:
  ///   - columns: the row number, the key, then all columns.
  ///   - rows: the text after FROM.
  /// - Returns: nil if a key is not the number of its row.
  static func read(
    _ columns: [SQL], from rows: SQL, _ connection: OpaquePointer
  ) throws -> TableDigest? {
    let hashes = RowHashes()
    try RowFunction(connection, hashes.add).run(columns, from: rows)
    hashes.endRow()
    return hashes.hasOtherKeys ? nil : hashes.digest
  }

  private func add(_ first: Int, _ values: UnsafeMutableBufferPointer<OpaquePointer?>) {
    var start = 0
    if first == 0 {
      endRow()
      let row = sqlite3_value_int64(values[0])
      number = row
      hash = 0
      if sqlite3_value_type(values[1]) != SQLITE_INTEGER || sqlite3_value_int64(values[1]) != row {
        hasOtherKeys = true
      }
      start = 2
    }
    for index in start..<values.count {
      if let value = values[index] { hash = Self.mixed(hash, Self.hash(of: value)) }
    }
  }

  private func endRow() { if let number { digest.add(number, hash: hash) } }

  /// The hash of one value; values of different types differ.
  private static func hash(of value: OpaquePointer) -> UInt64 {
    let type = sqlite3_value_type(value)
    let content: UInt64
    switch type {
    case SQLITE_NULL: content = 0
    case SQLITE_INTEGER: content = UInt64(bitPattern: sqlite3_value_int64(value))
    case SQLITE_FLOAT: content = sqlite3_value_double(value).bitPattern
    default:
      let start = sqlite3_value_blob(value)
      content = hash(
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
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
