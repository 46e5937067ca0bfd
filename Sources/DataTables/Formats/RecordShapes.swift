/// The shapes of the records of a text. Records with the same keys share one.
package struct RecordShapes {
  private var last: Record.Shape?
  private var shapes: [[String]: Record.Shape] = [:]

  /// More shapes, and shapes with more keys, are not kept: they are those of mappings whose keys are
  /// data.
  private static let maxShapes = 256
  private static let maxKeys = 256

  package init() {}

  /// The record of keys that may repeat; a repeated key keeps its first position and its last value.
  package mutating func record(
    repeating keys: [String], _ values: [Value]
  ) -> (record: Record, hasDuplicate: Bool) {
    if let last, last.keys == keys { return (Record(shape: last, values: values), false) }
    let record = Record(zip(keys, values))
    if record.count < keys.count { return (record, true) }
    last = record.shape
    return (record, false)
  }

  /// - Precondition: the keys are distinct, and there is a value for each.
  package mutating func record(_ keys: [String], _ values: [Value]) -> Record {
    if let last, last.keys == keys { return Record(shape: last, values: values) }
    guard keys.count <= Self.maxKeys else {
      return Record(shape: Record.Shape(keys), values: values)
    }
    let shape = shapes[keys] ?? Record.Shape(keys)
    if shapes.count < Self.maxShapes { shapes[keys] = shape }
    last = shape
    return Record(shape: shape, values: values)
  }
}
