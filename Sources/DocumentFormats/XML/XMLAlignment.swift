import DataTables

/// Gives all elements with the same path the same form: if one of them is repeated in its parent,
/// the others become arrays too; if one is a record, the strings become records with the key
/// `text`.
struct XMLAlignment {
  private struct Rule {
    var wraps = false
    var makesRecords = false
    /// The nodes of the keys below this one that have rules.
    var children: [(key: String, node: Int)] = []
    var isNeeded: Bool { wraps || makesRecords || !children.isEmpty }
  }

  private var rules: [Rule]

  init(_ paths: XMLPaths) {
    let nodes = paths.nodes
    rules = nodes.map { node in
      Rule(
        wraps: node.repeatedGroups > 0 && node.repeatedGroups < node.groups,
        makesRecords: node.isRecord && node.strings > 0)
    }
    // Children have larger numbers than their parents.
    for node in nodes.indices.dropFirst().reversed() where rules[node].isNeeded {
      rules[nodes[node].parent].children.append((paths.keys[nodes[node].key], node))
    }
  }

  /// - Parameter nodes: the path of each row.
  func align(_ rows: inout [Value], nodes: [Int]) {
    for index in rows.indices where rules[nodes[index]].isNeeded || isEmpty(rows[index]) {
      rows[index] = element(rows[index], nodes[index])
      // A row without content has no keys; other rows of its path may be records.
      if isEmpty(rows[index]) { rows[index] = .record(Record([])) }
    }
  }

  private func isEmpty(_ row: Value) -> Bool { row.isNull }

  private func value(_ value: Value, _ node: Int) -> Value {
    if case .array(let elements) = value {
      return .array(elements.map { element($0, node) })
    }
    let value = element(value, node)
    return rules[node].wraps ? .array([value]) : value
  }

  private func element(_ value: Value, _ node: Int) -> Value {
    switch value {
    case .string where rules[node].makesRecords:
      return .record(Record(shape: Self.textShape, values: [value]))
    case .record(let record):
      var values = record.values
      for (key, child) in rules[node].children {
        guard let position = record.shape.position(of: key) else { continue }
        values[position] = self.value(values[position], child)
      }
      return .record(Record(shape: record.shape, values: values))
    default: return value
    }
  }

  private static let textShape = Record.Shape([XMLPaths.textKeyName])
}
