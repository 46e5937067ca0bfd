import CPostgreSQL
import DataTables
import Databases

/// A result of libpq: the rows of a statement, one row of a stream, or the end of a command.
final class WireResult {
  private let pointer: UnsafeMutableRawPointer

  /// - Parameter pointer: is freed with the result.
  init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

  deinit { cpq_clear(pointer) }

  var status: Int32 { cpq_status(pointer) }

  var hasFailed: Bool {
    switch status {
    case CPQ_EMPTY_QUERY, CPQ_COMMAND_OK, CPQ_TUPLES_OK, CPQ_SINGLE_TUPLE, CPQ_COPY_IN: false
    case CPQ_NONFATAL_ERROR: false
    default: true
    }
  }

  /// The types of the columns, for reading.
  var types: [ServerType] {
    (0..<cpq_column_count(pointer)).map { .type(cpq_column_type(pointer, $0)) }
  }

  func columns(_ types: [ServerType]) -> [DatabaseColumn] {
    types.enumerated().map { index, type in
      let name = cpq_column_name(pointer, Int32(index)).map { String(cString: $0) } ?? ""
      return DatabaseColumn(name: name, declaredType: type.name, kind: type.kind)
    }
  }

  func appendRows(_ types: [ServerType], to rows: inout [[Value]]) {
    let count = cpq_row_count(pointer)
    for row in 0..<count {
      rows.append(
        [Value](unsafeUninitializedCapacity: types.count) { values, initialized in
          for (column, type) in types.enumerated() {
            (values.baseAddress.unsafelyUnwrapped + column).initialize(
              to: value(row, Int32(column), type))
            initialized = column + 1
          }
        })
    }
  }

  private func value(_ row: Int32, _ column: Int32, _ type: ServerType) -> Value {
    var count: Int32 = 0
    guard let bytes = cpq_value(pointer, row, column, &count) else { return .null }
    return type.reading.value(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// The rows that a statement inserted, updated, deleted or merged; 0 for other statements.
  var changedRows: Int {
    let command = cpq_command(pointer).map { String(cString: $0) } ?? ""
    let word = command.prefix { $0 != " " }
    guard ["INSERT", "UPDATE", "DELETE", "MERGE", "COPY"].contains(word) else { return 0 }
    return cpq_changed_rows(pointer).flatMap { Int(String(cString: $0)) } ?? 0
  }

  /// A field of an error, by one of libpq's codes.
  func errorField(_ field: Int32) -> String? {
    cpq_error_field(pointer, field).map { String(cString: $0) }
  }

  /// The error as libpq puts it.
  var errorMessage: String { cpq_result_error(pointer).map { String(cString: $0) } ?? "" }
}
