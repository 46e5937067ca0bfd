/// The rows of a document that was read as one value: JSON in one object, YAML, TOML, a property
/// list.
///
/// `keyPath:` selects the value with the rows, and `rows:` the shape in which a record becomes rows.
///
/// Without `rows:`, the elements of an array are the rows, and any other value is one row. Without
/// `keyPath:` too, if the document is a record with exactly one array of records, the elements of
/// that array are the rows.
public struct DocumentRows: Sendable {
  /// How a value becomes rows.
  public enum Shape: String, CaseIterable, Sendable {
    /// The value is one row. An array has one row for each element.
    case object
    /// Each member of a record is a row: `{"u1": {…}, "u2": {…}}`.
    case values
    /// Each member of a record is a column: `{"a": [1, 2], "b": [3, 4]}`.
    case columns
  }

  public private(set) var rows: [Value]
  /// The choice that was made, and options for others, one line each.
  public var notes: [String] = []
  /// The key path of the value with the rows; without steps for the whole document.
  public private(set) var location: ObjectKeyPath
  /// The note on a `keyPath:` that does not exist; nil if it exists.
  private(set) var missingPath: String?
  /// The members that are the rows, for ``Shape/values``.
  private var members: [String] = []
  private var rowsAreElements = false

  /// Whether the rows are the elements of the document itself.
  var areWhole: Bool { rowsAreElements && location.steps.isEmpty }

  /// - Throws: ``TableError/badArgument(_:)`` for a `rows:` that is unknown or does not fit the value.
  public init(of document: Value, options: ReadOptions) throws(TableError) {
    rows = []
    location = options.keyPath ?? ObjectKeyPath([])
    let shape = try options.documentShape()
    let value = location.evaluate(on: document)
    if value.isNull, let path = options.keyPath {
      let missing = MissingPath(path, in: document)
      notes = [missing.note]
      if missing.isAbsent { missingPath = missing.note }
      return
    }
    if let path = options.keyPath, let missing = MissingPath(path, inElementsOf: document) {
      notes = [missing.note]
      missingPath = missing.note
      return
    }
    switch (shape, value) {
    case (nil, .record(let record)) where options.keyPath == nil:
      detectRows(in: record, value)
    case (_, .array(let elements)):
      if let shape, shape != .object { throw Self.mismatch(shape, with: value) }
      rows = elements
      rowsAreElements = true
    case (nil, _), (.object, _): rows = [value]
    case (.values, .record(let record)): takeValues(record)
    case (.columns, .record(let record)): takeColumns(try DocumentColumns(record))
    case (let shape?, _): throw Self.mismatch(shape, with: value)
    }
  }

  /// The key path in the document of the value that is a row; nil for rows of columns.
  public func path(ofRow row: Int) -> ObjectKeyPath? {
    if rowsAreElements { return ObjectKeyPath(location.steps + [.index(row)]) }
    if members.indices.contains(row) { return ObjectKeyPath(location.steps + [.key(members[row])]) }
    return rows.count == 1 ? location : nil
  }

  private static func mismatch(_ shape: Shape, with value: Value) -> TableError {
    .badArgument(
      "`rows: \(shape.rawValue)` expects an object with members, not \(value.type.phrase)")
  }
}

// The shapes.
extension DocumentRows {
  private mutating func detectRows(in record: Record, _ value: Value) {
    var survey = MemberSurvey()
    for (key, value) in zip(record.keys, record.values) { survey.add(key, MemberKind(value)) }
    notes = survey.notes
    if let key = survey.onlyRecordArray, case .array(let elements)? = record[key] {
      location = ObjectKeyPath(key: key)
      rows = elements
      rowsAreElements = true
    } else {
      rows = [value]
    }
  }

  private mutating func takeValues(_ record: Record) {
    let name = Self.freeKey(
      "key",
      in: record.values.lazy.compactMap { value in
        if case .record(let record) = value { record.keys } else { nil }
      })
    members = record.keys
    rows = zip(record.keys, record.values).map { key, value in
      let rest: [(String, Value)] =
        if case .record(let record) = value {
          Array(zip(record.keys, record.values))
        } else {
          [("value", value)]
        }
      return .record(Record([(name, .string(key))] + rest))
    }
    notes.append("the keys of the members are in `\(name)`")
  }

  private mutating func takeColumns(_ columns: DocumentColumns) {
    rows = columns.rows
    notes += columns.notes
  }

  /// `name`, or `name_2`, `name_3`, … if some record has a key of that name.
  package static func freeKey(_ name: String, in keys: some Sequence<[String]>) -> String {
    var taken: Set<String> = []
    for keys in keys { taken.formUnion(keys.filter { $0.hasPrefix(name) }) }
    var free = FreeKeys(besides: taken)
    return free.take(name)
  }
}

extension ReadOptions {
  /// The value of `rows:` for documents; nil if it is not given.
  /// - Throws: ``TableError/badArgument(_:)`` for another word.
  func documentShape() throws(TableError) -> DocumentRows.Shape? {
    guard case .string(let word)? = self[.rows] else { return nil }
    if let shape = DocumentRows.Shape(rawValue: word) { return shape }
    throw .badArgument("`rows:` must be `object`, `values` or `columns`, not `\(word)`")
  }
}
