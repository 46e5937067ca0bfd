/// The kind of a member of a document, as far as it determines the rows.
enum MemberKind {
  case record, otherArray, scalar
  /// A record whose first key is "0", as in a column that pandas writes.
  case numberedRecord
  /// An array whose elements are records.
  case recordArray
  /// A record that holds an array of records, under this key.
  case recordWithArray(String)

  init(_ value: Value) {
    switch value {
    case .record(let record):
      let arrays = zip(record.keys, record.values).filter { $0.1.isRecordArray }
      self =
        arrays.count == 1
        ? .recordWithArray(arrays[0].0) : record.keys.first == "0" ? .numberedRecord : .record
    case .array: self = value.isRecordArray ? .recordArray : .otherArray
    default: self = .scalar
    }
  }
}

/// Collects the members of a document that is one record, to find its rows and to suggest
/// `keyPath:` and `rows:`.
struct MemberSurvey {
  private(set) var count = 0
  private var records = 0
  private var numberedRecords = 0
  private var arrays = 0
  /// The first members that are arrays of records, and paths to such arrays one level deeper.
  private var recordArrays: [String] = []
  private var deeperArrays: [ObjectKeyPath] = []
  private var recordArrayCount = 0
  /// The first keys of other members.
  private var others: [String] = []

  private static let maxNamed = 4
  /// Only the first members are searched for arrays and keys.
  static let maxSearched = 8

  mutating func add(_ key: String, _ kind: MemberKind) {
    count += 1
    switch kind {
    case .record: records += 1
    case .numberedRecord:
      records += 1
      numberedRecords += 1
    case .recordWithArray(let inner):
      records += 1
      if deeperArrays.count < Self.maxNamed {
        deeperArrays.append(ObjectKeyPath([.key(key), .key(inner)]))
      }
    case .otherArray: arrays += 1
    case .scalar: break
    case .recordArray:
      arrays += 1
      recordArrayCount += 1
      if recordArrays.count < Self.maxNamed { recordArrays.append(key) }
      return
    }
    if others.count < Self.maxNamed { others.append(key) }
  }

  /// The key of the only member that is an array of records; nil with none or several.
  var onlyRecordArray: String? { recordArrayCount == 1 ? recordArrays.first : nil }

  /// The rows that were chosen, or options that choose others.
  var notes: [String] {
    if let key = onlyRecordArray {
      let rows = "the rows are the elements of `\(ObjectKeyPath(key: key))`"
      guard count > 1 else { return ["\(rows); `rows: object` keeps the object"] }
      let more = count - 1 > others.count ? ", …" : ""
      let left = others.map { "`\(ObjectKeyPath(key: $0))`" }.joined(separator: ", ")
      return ["\(rows), without \(left)\(more); `rows: object` keeps the object"]
    }
    if recordArrayCount > 1 {
      let paths = recordArrays.map { "`keyPath: \(ObjectKeyPath(key: $0))`" }
      let more = recordArrayCount > paths.count ? ", …" : ""
      return [
        "the object holds several arrays of records: add \(paths.joined(separator: " or "))\(more)"
      ]
    }
    if !deeperArrays.isEmpty, records <= Self.maxNamed {
      let paths = deeperArrays.map { "`keyPath: \($0)`" }
      return ["for the records in it, add " + paths.joined(separator: " or ")]
    }
    guard count > 1 else { return [] }
    if arrays == count { return ["its members are arrays; `rows: columns` reads them as columns"] }
    // Members beyond the first few are not searched for their keys.
    if records == count, numberedRecords == min(records, Self.maxSearched) {
      return ["its members are objects by row number; `rows: columns` reads them as columns"]
    }
    if records == count { return ["its members are objects; `rows: values` reads each as a row"] }
    return []
  }
}

extension Value {
  /// Whether the value is an array with at least one element, all of them records.
  fileprivate var isRecordArray: Bool {
    guard case .array(let elements) = self, !elements.isEmpty else { return false }
    return elements.allSatisfy { if case .record = $0 { true } else { false } }
  }
}
