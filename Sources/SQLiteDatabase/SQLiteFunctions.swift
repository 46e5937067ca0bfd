import DataTables
import Databases
import GRDBSQLite
import Synchronization

/// Functions of this program that statements call: `dsshell(3, name)` is the third one. They make
/// SQLite compute keys, comparisons and orders with the shell's meaning.
final class SQLiteFunctions: Sendable {
  typealias Body = @Sendable ([Value]) -> Value

  private struct Function: Sendable {
    /// The kinds of the columns that are the arguments.
    let kinds: [DatabaseColumn.Kind]
    /// `the key `firstCharacter``
    let meaning: String
    let body: Body
  }
  private let functions = Mutex<(all: [Function], numbers: [String: Int])>(([], [:]))

  /// The keys of all functions by their numbers.
  var keys: [String] {
    functions.withLock { functions in
      functions.numbers.sorted { $0.value < $1.value }.map(\.key)
    }
  }

  static let name = "dsshell"

  /// A call of a function.
  /// - Parameters:
  ///   - key: equal for functions that are the same.
  ///   - meaning: the function in words.
  func call(
    _ key: String, _ meaning: String, _ arguments: [ColumnExpression], _ body: @escaping Body
  ) -> SQL {
    let number = functions.withLock { functions in
      if let number = functions.numbers[key] { return number }
      functions.all.append(Function(kinds: arguments.map(\.kind), meaning: meaning, body: body))
      functions.numbers[key] = functions.all.count - 1
      return functions.all.count - 1
    }
    let list = arguments.map(\.sql).joined(separator: ", ")
    return "\(SQL(Self.name))(\(SQL(String(number))), \(list))"
  }

  /// The functions that statements call, in words.
  func notes(about statements: [String]) -> [String] {
    let all = functions.withLock { $0.all }
    return all.enumerated().compactMap { number, function in
      let call = "\(Self.name)(\(number), "
      guard statements.contains(where: { $0.contains(call) }) else { return nil }
      return "\(call)…) is \(function.meaning), computed by the shell for each row"
    }
  }

  fileprivate func result(_ number: Int, _ read: (Int, DatabaseColumn.Kind) -> Value) -> Value {
    let function = functions.withLock { $0.all.indices.contains(number) ? $0.all[number] : nil }
    guard let function else { return .null }
    return function.body(function.kinds.enumerated().map { read($0 + 1, $1) })
  }

  /// Makes the functions known to a connection, which keeps this object alive.
  func register(with connection: OpaquePointer?) {
    let context = Unmanaged.passRetained(self).toOpaque()
    sqlite3_create_function_v2(
      connection, Self.name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, context,
      { context, count, arguments in
        guard let context, let arguments, count > 0, let first = arguments[0],
          let data = sqlite3_user_data(context)
        else { return }
        let functions = Unmanaged<SQLiteFunctions>.fromOpaque(data).takeUnretainedValue()
        let value = functions.result(Int(sqlite3_value_int64(first))) { index, kind in
          guard index < Int(count), let argument = arguments[index] else { return .null }
          return SQLiteValue.read(argument, kind)
        }
        SQLiteValue.send(value, to: context)
      }, nil, nil,
      { data in
        guard let data else { return }
        Unmanaged<SQLiteFunctions>.fromOpaque(data).release()
      })
  }
}
