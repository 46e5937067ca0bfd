/// The rows of a record whose members are columns: arrays of values, or records of values by row
/// (`{"a": {"0": 1, "1": 2}}`, as pandas writes them).
package struct DocumentColumns {
  private(set) var rows: [Value] = []
  private(set) var notes: [String] = []

  /// - Throws: ``TableError/badArgument(_:)`` without a member that is an array, and if some members
  ///   are arrays and others records.
  init(_ record: Record) throws(TableError) {
    let arrays = record.values.filter { $0.type == .array }.count
    let records = record.values.filter { $0.type == .record }.count
    if arrays > 0 {
      try takeArrays(record)
    } else if records == record.count, records > 0 {
      try takeRecords(record)
    } else {
      throw .badArgument("`rows: columns` expects an object whose members are arrays")
    }
  }

  /// The product of rows and columns is larger than the document if columns have few values.
  private static let maxCells = 1 << 26
  /// A larger table must have a value in each of this number of cells, on average.
  private static let freeCells = 1 << 24
  private static let maxCellsPerValue = 64

  /// Checks the size of a table whose missing cells are filled with null.
  /// - Parameter values: the number of cells that the document has.
  /// - Throws: ``TableError/limit(_:setting:at:)``.
  package static func check(rows: Int, columns: Int, values: Int) throws(TableError) {
    let (cells, overflows) = rows.multipliedReportingOverflow(by: columns)
    let isSparse = cells > freeCells && cells / maxCellsPerValue > values
    let maxCells = isSparse ? freeCells : Self.maxCells
    guard overflows || cells > maxCells else { return }
    throw .limit(
      "\(columns.grouped) columns of \(rows.grouped) rows have more than \(maxCells.grouped) cells",
      setting: "", at: nil)
  }

  private mutating func takeArrays(_ record: Record) throws(TableError) {
    let lengths = record.values.map { value in
      if case .array(let elements) = value { elements.count } else { 0 }
    }
    let count = lengths.max() ?? 0
    try Self.check(rows: count, columns: record.count, values: lengths.reduce(0, +))
    let shape = Record.Shape(record.keys)
    rows = (0..<count).map { row in
      .record(
        Record(
          shape: shape,
          values: record.values.map { value in
            guard case .array(let elements) = value else { return value }
            return row < elements.count ? elements[row] : .null
          }))
    }
    for (key, value) in zip(record.keys, record.values) {
      let path = ObjectKeyPath(key: key)
      if case .array(let elements) = value {
        if elements.count < count {
          notes.append(
            "`\(path)` has \(elements.count.grouped) of \(count.grouped) values; the others are null"
          )
        }
      } else {
        notes.append("`\(path)` is not an array; its value is in every row")
      }
    }
  }

  private mutating func takeRecords(_ record: Record) throws(TableError) {
    let name = DocumentRows.freeKey("key", in: [record.keys])
    var ids: [String] = []
    var known: Set<String> = []
    for case .record(let column) in record.values {
      for id in column.keys where known.insert(id).inserted { ids.append(id) }
    }
    try Self.check(
      rows: ids.count, columns: record.count + 1,
      values: record.values.reduce(0) { $0 + ($1.memberCount ?? 0) })
    let shape = Record.Shape([name] + record.keys)
    rows = ids.map { id in
      let cells = record.values.map { value -> Value in
        if case .record(let column) = value { column[id] ?? .null } else { .null }
      }
      return .record(Record(shape: shape, values: [.string(id)] + cells))
    }
    notes.append("the keys of the rows are in `\(name)`")
  }
}

extension Value {
  /// The number of elements or members; nil for other values.
  package var memberCount: Int? {
    switch self {
    case .array(let elements): elements.count
    case .record(let record): record.count
    default: nil
    }
  }
}
