/// A key path at which a document has no value, for a note of the load report.
struct MissingPath {
  let path: ObjectKeyPath
  /// The number of steps that lead to a value.
  var found = 0
  /// The keys of that value; empty if it is not a record.
  var keys: [String] = []

  private static let maxNamed = 4

  init(_ path: ObjectKeyPath, found: Int, keys: [String]) {
    self.path = path
    self.found = found
    self.keys = keys
  }

  init(_ path: ObjectKeyPath, in document: Value) {
    self.path = path
    for count in path.steps.indices.reversed() {
      let value = ObjectKeyPath(Array(path.steps[..<count])).evaluate(on: document)
      if value.isNull { continue }
      found = count
      if case .record(let record) = value { keys = record.keys }
      return
    }
  }

  /// ``no value at `data.itms`; `data` has the keys `items`, `meta` ``, the nearest key first.
  var note: String {
    let note = "no value at `\(path)`"
    guard path.steps.indices.contains(found), case .key(let missing) = path.steps[found],
      !keys.isEmpty, !keys.contains(missing)
    else { return note }
    let near = NearNames.order(of: keys, from: missing).prefix(Self.maxNamed)
    var list = near.map { "`\(ObjectKeyPath(key: keys[$0]))`" }.joined(separator: ", ")
    if keys.count > near.count { list += " and \((keys.count - near.count).grouped) more" }
    let parent =
      found == 0 ? "the document" : "`\(ObjectKeyPath(Array(path.steps[..<found])))`"
    return "\(note); \(parent) has the \(keys.count == 1 ? "key" : "keys") \(list)"
  }
}
