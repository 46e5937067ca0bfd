/// A key path at which a document has no value, for the load report.
struct MissingPath {
  let path: ObjectKeyPath
  /// The number of steps that lead to a value.
  var found = 0
  /// The keys of that value; empty if it is not a record.
  var keys: [String] = []

  /// Whether the keys are those in the first of several objects.
  private var isOfFirst = false

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

  /// For an array of records without a value at the path; nil if some record has one, or
  /// the key with the value null.
  init?(_ path: ObjectKeyPath, inElementsOf document: Value) {
    var value = document
    for (index, step) in path.steps.enumerated() {
      if case .key = step, case .array(let elements) = value {
        let rest = ObjectKeyPath(Array(path.steps[index...]))
        let missing = elements.lazy.map { MissingPath(rest, in: $0) }
        guard let first = missing.first, elements.allSatisfy({ rest.evaluate(on: $0).isNull }),
          missing.allSatisfy(\.isAbsent)
        else { return nil }
        self.init(path, found: index + first.found, keys: first.keys)
        isOfFirst = true
        return
      }
      value = ObjectKeyPath.apply(step, to: value)
    }
    return nil
  }

  /// Whether a step leads to no value at all; false if a record has the key with the value null.
  var isAbsent: Bool {
    guard path.steps.indices.contains(found) else { return false }
    guard case .key(let missing) = path.steps[found] else { return true }
    return !keys.contains(missing)
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
      found == 0
      ? isOfFirst ? "the first object" : "the document"
      : "`\(ObjectKeyPath(Array(path.steps[..<found])))`"
        + (isOfFirst ? " of the first object" : "")
    return "\(note); \(parent) has the \(keys.count == 1 ? "key" : "keys") \(list)"
  }
}
