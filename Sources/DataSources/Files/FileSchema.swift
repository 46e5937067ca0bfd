import DataTables

/// The keys and types of several files together, and the differences between the files.
struct FileSchema {
  /// The names of the files that were left out.
  var vanished: [String] = []
  var empty: [String] = []
  /// The folders that cannot be read.
  var unreadable: [String] = []

  /// The keys whose values have several types because a format has no option for types.
  var mixed: Set<String> = []

  private let options: ReadOptions
  private var names: [String] = []
  private var reports: [LoadReport] = []
  private var keys: [String] = []
  /// For each file, its keys.
  private var keysOfFiles: [Set<String>] = []
  private var types: [String: [TypeInFile]] = [:]
  /// For each file, the keys that are strings in other files and have another type in it.
  private var conflicts: [Int: Set<String>] = [:]

  private struct TypeInFile {
    let file: Int
    let type: ColumnType
    let evidence: String?
  }

  init(_ options: ReadOptions) { self.options = options }

  /// Compares the keys and types of all files.
  ///
  /// - Throws: `TableError.unknownKey` for a key of `types:` that no file has.
  mutating func unite(
    _ files: [(name: String, loaded: LoadedTable)], cancellation: Cancellation
  ) throws {
    names = files.map(\.name)
    reports = files.map(\.loaded.report)
    keysOfFiles = reports.map { Set($0.columns.map(\.key)) }
    for (index, report) in reports.enumerated() {
      for column in report.columns {
        if types[column.key] == nil { keys.append(column.key) }
        types[column.key, default: []].append(
          TypeInFile(file: index, type: column.type, evidence: column.evidence))
      }
    }
    if let key = options.types.keys.sorted().first(where: { types[$0] == nil }) {
      throw TableError.unknownKey(key, known: keys)
    }
    for key in keys {
      let all = types[key] ?? []
      guard Set(all.map(\.type)).count > 1 else { continue }
      // A column without values is a string, which says nothing about its type.
      let known = try all.filter { entry in
        try entry.type != .string
          || !files[entry.file].loaded.table.isNull(key, cancellation: cancellation)
      }
      types[key] = known.isEmpty ? all : known
      let found = Set(known.map(\.type))
      if found.count > 1, found != [.integer, .real], !found.contains(.value) {
        for entry in known where entry.type != .string {
          conflicts[entry.file, default: []].insert(key)
        }
      }
    }
  }

  /// The keys that have to be strings in a file.
  func keysToUnify(at file: Int) -> Set<String> { conflicts[file] ?? [] }

  func report(of table: FilesTable) -> LoadReport {
    var report = LoadReport(
      format: format, encoding: Self.joined(reports.map(\.encoding)),
      lineEnds: Set(reports.map(\.lineEnds)).count == 1 ? reports.first?.lineEnds : nil,
      rows: table.count)
    report.supportsTypes = reports.allSatisfy(\.supportsTypes)
    report.columns =
      keys.map(column) + [
        ColumnReport(key: table.fileKey, type: .string, isExact: true)
      ]
    for (name, part) in zip(names, reports) {
      report.rejected += part.rejected
      report.misfits += part.misfits
      report.continued += part.continued
      for var reject in part.rejects where report.rejects.count < LoadReport.maxRejects {
        reject.file = name
        report.rejects.append(reject)
      }
    }
    report.notes = notes(table)
    return report
  }

  /// `3 CSV files`, `3 files: CSV, NDJSON`
  private var format: String {
    let formats = Set(reports.map(\.format)).sorted()
    let count = reports.count.grouped
    let files = reports.count == 1 ? "file" : "files"
    return formats.count == 1
      ? "\(count) \(formats[0]) \(files)"
      : "\(count) \(files) in " + formats.joined(separator: " and ")
  }

  private static func joined(_ names: [String]) -> String {
    Set(names).sorted().joined(separator: " and ")
  }

  private func column(_ key: String) -> ColumnReport {
    let all = types[key] ?? []
    let found = Set(all.map(\.type))
    var type = found.first ?? .string
    if found.count > 1 {
      type =
        found == [.integer, .real]
        ? .real : found.contains(.value) || mixed.contains(key) ? .value : .string
    }
    var report = ColumnReport(key: key, type: type, isExact: false)
    if found.count > 1 {
      let kinds = Dictionary(grouping: all, by: \.type).sorted {
        $0.value[0].file < $1.value[0].file
      }
      report.evidence = kinds.map { "\($0.key) in \(list($0.value.map(\.file)))" }
        .joined(separator: ", ")
    } else if let first = all.first(where: { $0.evidence != nil }), let evidence = first.evidence {
      report.evidence = evidence + " (\(names[first.file]))"
    }
    return report
  }

  private func notes(_ table: FilesTable) -> [String] {
    var notes: [String] = []
    let withColumns = reports.indices.filter { !reports[$0].columns.isEmpty }
    for key in keys {
      let missing = withColumns.filter { !keysOfFiles[$0].contains(key) }
      if !missing.isEmpty { notes.append("\(key) is missing, and null, in \(list(missing))") }
    }
    if notes.count > 5 {
      notes =
        notes.prefix(4) + ["\(notes.count - 4) more keys are missing, and null, in some files"]
    }
    if table.fileKey != "file" {
      notes.append("the objects have a key `file`; the path is under `\(table.fileKey)`")
    }
    if !empty.isEmpty {
      notes.append(
        "skipped, because \(empty.count == 1 ? "it is" : "they are") empty: \(Self.list(empty))")
    }
    if !vanished.isEmpty {
      notes.append(
        "skipped, because \(vanished.count == 1 ? "it was" : "they were") deleted during the load: "
          + Self.list(vanished))
    }
    if !unreadable.isEmpty {
      notes.append(
        "skipped, because \(unreadable.count == 1 ? "it" : "they") cannot be read: "
          + Self.list(unreadable))
    }
    var own: [String] = []
    for (name, report) in zip(names, reports) {
      if let padded = report.padded {
        let rows =
          padded.count == 1 ? "1 row has" : "\(padded.count.grouped) rows have"
        own.append(
          "\(name): \(rows) too few fields, filled with null: line \(padded.line) has "
            + "\(padded.fields) of \(report.columns.count)")
      }
      own += report.notes.map { "\(name): \($0)" }
    }
    if own.count > 10 { own = own.prefix(9) + ["\(own.count - 9) more notes about files"] }
    return notes + own
  }

  private func list(_ files: [Int]) -> String { Self.list(files.map { names[$0] }) }

  /// The first names and the number of others.
  private static func list(_ names: [String]) -> String {
    names.count <= 3
      ? names.joined(separator: ", ")
      : names.prefix(2).joined(separator: ", ") + " and \((names.count - 2).grouped) more"
  }
}

extension Table {
  /// Whether all values of a key are null.
  fileprivate func isNull(_ key: String, cancellation: Cancellation) throws -> Bool {
    let column = try column(ObjectKeyPath(key: key), cancellation: cancellation)
    guard case .coded(_, let values) = column else { return count == 0 }
    return values.allSatisfy(\.isNull)
  }
}
