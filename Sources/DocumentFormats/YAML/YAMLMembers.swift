import DataTables

/// The keys and values of a mapping while it is read.
struct YAMLMembers {
  private var positions = KeyPositions()
  private(set) var values: [Value] = []
  /// Keys that a merge added: a key of the mapping itself replaces them.
  private var merged: Set<String> = []
  private(set) var hasDuplicate = false
  private var hasMerge = false

  init() {}

  var keys: [String] { positions.keys }

  /// Whether the keys are exactly those written in the mapping.
  var isPlain: Bool { !hasDuplicate && !hasMerge }

  /// Sets a key that is written in the mapping. A repeated key keeps its position.
  mutating func set(_ key: String, _ value: Value) {
    guard let position = positions.position(of: key) else {
      append(key, value)
      return
    }
    values[position] = value
    if merged.remove(key) == nil { hasDuplicate = true }
  }

  /// Adds the members of a mapping, or of each mapping of a list, whose keys are not set yet;
  /// returns false for other values.
  mutating func merge(_ value: Value) -> Bool {
    hasMerge = true
    switch value {
    case .record(let record):
      for (key, value) in zip(record.keys, record.values) where positions.position(of: key) == nil {
        append(key, value)
        merged.insert(key)
      }
      return true
    case .array(let elements):
      for element in elements {
        guard case .record = element, merge(element) else { return false }
      }
      return true
    default: return false
    }
  }

  private mutating func append(_ key: String, _ value: Value) {
    positions.append(key)
    values.append(value)
  }
}
