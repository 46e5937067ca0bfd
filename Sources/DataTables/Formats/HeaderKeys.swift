/// The keys that the cells of a header become.
package struct HeaderKeys {
  package private(set) var keys: [String] = []
  /// Notes about renamed keys for the load report.
  package private(set) var notes: [String] = []

  /// The keys of a table without a header: `column1`, `column2`.
  package static func numbered(_ count: Int) -> [String] { (0..<count).map { "column\($0 + 1)" } }

  /// Replaces an empty name by `column` and the number of the column, and appends numbers to
  /// duplicates.
  package init(_ names: [String]) {
    var free = FreeKeys()
    var renamed = 0
    for (index, name) in names.enumerated() {
      let key = free.take(name.isEmpty ? "column\(index + 1)" : name)
      keys.append(key)
      if key == name { continue }
      renamed += 1
      if renamed > 3 { continue }
      notes.append(
        name.isEmpty
          ? "column \(index + 1) has no name; its key is `\(key)`"
          : "duplicate key `\(name)` in column \(index + 1) renamed to `\(key)`")
    }
    if renamed > 3 { notes.append("\((renamed - 3).grouped) more keys renamed") }
  }
}

// The keys of `keys:`.
extension HeaderKeys {
  /// The error for keys that do not fit a table.
  /// - Parameter noun: `columns` or `fields`.
  package static func mismatch(_ keys: [String], for count: Int, _ noun: String) -> TableError {
    let given = keys.count == 1 ? "1 key" : "\(keys.count.grouped) keys"
    let fix = count <= maxSuggested ? "; \(replacement(of: keys, for: count))" : ""
    return .badArgument(
      "`\(ReadOption.keys.name):` has \(given) for \(count.grouped) \(noun)\(fix)")
  }

  /// ``replace `keys:` with `keys: [a, b, column3]```: the keys that are missing are numbered.
  static func replacement(of keys: [String], for count: Int) -> String {
    let name = ReadOption.keys.name
    return "replace `\(name):` with \(SuggestedLabels(name, fitted(keys, to: count)))"
  }

  /// A key for each of `count` columns.
  static func fitted(_ keys: [String], to count: Int) -> [String] {
    HeaderKeys((0..<count).map { $0 < keys.count ? keys[$0] : "" }).keys
  }

  /// A longer list would be hard to read and to edit.
  private static let maxSuggested = 64
}
