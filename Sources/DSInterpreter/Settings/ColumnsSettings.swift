import DataSources
import DataTables

/// The labels of `columns`, and `columns:`, the key paths, which only `set` accepts.
struct ColumnsSettings: SourceSettings {
  private static let columns = Label(
    "columns", .list(.keyPath(.everyRow)), "key paths of the columns", example: "name, kind")
  private static let names = Label(
    "as", .list(.string), "a key for each column; the last of its path if omitted",
    example: "name, city")
  static let verbLabels = [names]
  static let labels = [columns] + verbLabels

  private let columns: [Argument]?
  private let names: [Argument]?

  init(parsing arguments: Arguments) throws {
    try self.init(parsing: arguments, columns: arguments.list(Self.columns))
  }

  init(parsing arguments: Arguments, columns: [Argument]?) throws {
    self.columns = columns
    names = arguments.list(Self.names)
  }

  func set(
    _ source: ColumnsSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    if let first = columns?.first, first.isNull, columns?.count == 1 {
      throw first.error(
        .badArgument, "`columns` needs at least one key path such as `columns: name`")
    }
    var paths = source.columns.map(\.path)
    if let columns { paths = try await session.keys(columns, of: inner) }
    var keys = columns == nil ? source.columns.map(\.key) : paths.map(\.defaultKey)
    if let names { keys = try await self.keys(names, for: paths, in: &session) }
    try checkNames(keys, of: paths)
    source.columns = zip(keys, paths).map { ProjectedTable.Column(key: $0, path: $1) }
  }

  /// The keys of `as:`; `null` restores the default keys.
  private func keys(
    _ names: [Argument], for paths: [ObjectKeyPath], in session: inout Session
  ) async throws -> [String] {
    if names.count == 1, names[0].isNull { return paths.map(\.defaultKey) }
    guard names.count == paths.count else {
      throw Diagnostic(
        .badArgument,
        "`as:` has \(counted(names.count, "key")) for \(counted(paths.count, "column")); "
          + "give one key for each column", at: names.last?.span.place)
    }
    var keys: [String] = []
    for name in names { keys.append(try await name.string(in: &session)) }
    return keys
  }

  /// - Throws: ``Diagnostic`` at the second column with the same key.
  private func checkNames(_ keys: [String], of paths: [ObjectKeyPath]) throws {
    guard let repeated = RepeatedColumn(keys, of: paths) else { return }
    let index = repeated.index
    let place = (names?.count == keys.count ? names?[index] : columns?[index])
    throw Diagnostic(
      .badArgument,
      "\(repeated.fact); \(names == nil ? "add" : "replace `as:` with") `as: \(repeated.names)`",
      at: place?.span.place)
  }
}

/// The first column that has the key of an earlier one.
struct RepeatedColumn {
  let index: Int
  /// `the columns a.x and b.x have the same key `x``
  let fact: String
  /// The value of `as:` with which all keys differ: `x, x2`.
  let names: String

  /// nil if all keys differ.
  init?(_ keys: [String], of paths: [ObjectKeyPath]) {
    var seen: [String: Int] = [:]
    var repeated: (first: Int, index: Int)?
    var names = keys
    for (index, key) in keys.enumerated() {
      guard let first = seen.updateValue(index, forKey: key) else { continue }
      repeated = repeated ?? (first, index)
      var number = 2
      while names.contains("\(key)\(number)") { number += 1 }
      names[index] = "\(key)\(number)"
    }
    guard let repeated else { return nil }
    index = repeated.index
    fact =
      "the columns \(paths[repeated.first]) and \(paths[index]) have the same key `\(keys[index])`"
    self.names = names.map { ObjectKeyPath(key: $0).description }.joined(separator: ", ")
  }
}

extension ObjectKeyPath {
  /// The last key of a path of keys; the whole path as it is typed if it has an index or an operator.
  var defaultKey: String {
    let keys = steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
    return keys.count == steps.count ? keys.last ?? description : description
  }
}

extension Session {
  /// The key paths of arguments, checked against the content of a source.
  mutating func keys(
    _ arguments: [Argument], of source: any DataSource
  ) async throws -> [ObjectKeyPath] {
    var paths: [ObjectKeyPath] = []
    for argument in arguments {
      let key = try await argument.typed(.keyPath(.everyRow)).keyPath(in: &self)
      try check(key, of: source)
      paths.append(key.path)
    }
    return paths
  }
}
