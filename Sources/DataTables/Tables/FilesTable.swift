/// The objects of several files as one table, with the name of its file as the last key of each
/// record. Objects that are not records have no file.
public final class FilesTable: DerivedTable {
  /// The objects of all files, without the names of the files.
  public let base: any Table
  /// The key of the names: `file`, or another one if the objects have this key.
  public let fileKey: String
  private let names: [String]
  private let joined: ConcatenatedTable

  /// - Parameter files: the name and the objects of each file, in order.
  public init(_ files: [(name: String, table: any Table)]) {
    joined = ConcatenatedTable(
      files.map { ConcatenatedTable.Part(table: $0.table, order: .natural($0.table.count)) })
    base = joined
    names = files.map(\.name)
    var key = "file"
    let taken = Set(joined.keys)
    var number = 2
    while taken.contains(key) {
      key = "file_\(number)"
      number += 1
    }
    fileKey = key
    hasUniformRows = joined.hasUniformRows
  }

  /// The name and the objects of each file, in order.
  var files: [(name: String, table: any Table)] {
    zip(names, joined.parts).map { ($0, $1.table) }
  }

  public var count: Int { joined.count }
  public var keys: [String] { joined.keys + [fileKey] }
  public let hasUniformRows: Bool
  public var hasOtherRows: Bool { joined.hasOtherRows }

  public func baseRow(of row: Int) -> Int { row }

  /// The position of the file that has a row.
  public func file(of row: Int) -> Int { joined.origin(of: row).part }

  public func objects(at rows: [Int]) throws -> [Value] {
    // Neighboring records mostly share their shape.
    var latest: (old: Record.Shape, new: Record.Shape)?
    return try zip(rows, joined.objects(at: rows)).map { row, object in
      guard case .record(let record) = object else { return object }
      let shape: Record.Shape
      if let latest, latest.old.storage === record.shape.storage {
        shape = latest.new
      } else {
        shape = Record.Shape(record.keys + [fileKey])
        latest = (record.shape, shape)
      }
      return .record(Record(shape: shape, values: record.values + [.string(names[file(of: row)])]))
    }
  }

  public func line(of row: Int) throws -> Int? { try joined.line(of: row) }

  public func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    guard path.steps.first?.recordKey == fileKey, count > 0 else {
      do {
        return try joined.column(path, cancellation: cancellation)
      } catch TableError.unknownKey(let key, _) where path.steps.count == 1 {
        throw TableError.unknownKey(key, known: keys)
      }
    }
    guard !hasOtherRows else { return try columnOfObjects(path, cancellation: cancellation) }
    var codes: [UInt32] = []
    codes.reserveCapacity(count)
    for (part, file) in joined.parts.enumerated() {
      codes.append(
        contentsOf: repeatElement(UInt32(truncatingIfNeeded: part), count: file.order.count))
    }
    return try KeyColumn.coded(
      RowCodes(codes, distinct: names.count), values: DistinctValues(names.map { .string($0) })
    ).deriving(path.steps.dropFirst(), cancellation: cancellation)
  }

  /// Suggests the labels that all files suggest.
  public func report(on key: String, cancellation: Cancellation) throws -> ColumnReport {
    let column = try column(ObjectKeyPath(key: key), cancellation: cancellation)
    var report = ColumnReport(key: key, type: column.type, isExact: true)
    guard column.type == .string, key != fileKey else { return report }
    for part in joined.parts where part.table.keys.contains(key) {
      let found = try part.table.report(on: key, cancellation: cancellation).suggestion
      guard let found, report.suggestion.map({ $0.isSame(as: found) }) ?? true else {
        report.suggestion = nil
        break
      }
      report.suggestion = found
    }
    return report
  }

  public func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    try joined.decode(
      paths.filter { $0.steps.first?.recordKey != fileKey }, cancellation: cancellation)
  }

  public func release(_ paths: [ObjectKeyPath]) { joined.release(paths) }
}
