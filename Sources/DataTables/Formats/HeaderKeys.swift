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
    var taken: Set<String> = []
    // The next number of each name, so that many duplicates need no search.
    var numbers: [String: Int] = [:]
    var renamed = 0
    for (index, name) in names.enumerated() {
      var key = name.isEmpty ? "column\(index + 1)" : name
      while !taken.insert(key).inserted {
        let number = numbers[name, default: 2]
        numbers[name] = number + 1
        key = "\(name)_\(number)"
      }
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
