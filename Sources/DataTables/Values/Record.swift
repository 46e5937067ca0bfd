/// Keys with values, in the order in which they were read.
///
/// The records of a table share their keys, so a record costs one array of values.
public struct Record: Sendable {
  /// The keys that records share.
  public struct Shape: Sendable {
    package final class Storage: Sendable {
      let keys: [String]
      /// nil if there are so few keys that comparing them all is faster than hashing one.
      let positions: [String: Int]?
      init(_ keys: [String]) {
        self.keys = keys
        positions =
          keys.count <= Shape.few
          ? nil
          : Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
      }
    }
    fileprivate static let few = 8
    package let storage: Storage

    public init(_ keys: [String]) { storage = Storage(keys) }
    public var keys: [String] { storage.keys }
    public func position(of key: String) -> Int? {
      guard let positions = storage.positions else { return storage.keys.firstIndex(of: key) }
      return positions[key]
    }
  }

  public let shape: Shape
  /// One value per key.
  public private(set) var values: [Value]

  public init(shape: Shape, values: [Value]) {
    precondition(shape.keys.count == values.count)
    self.shape = shape
    self.values = values
  }

  /// A repeated key keeps its first position and its last value, as in JSON.
  public init(_ pairs: some Sequence<(String, Value)>) {
    self.init(Array(pairs))
  }

  /// A repeated key keeps its first position and its last value, as in JSON.
  public init(_ pairs: [(String, Value)]) {
    var keys: [String] = []
    var values: [Value] = []
    keys.reserveCapacity(pairs.count)
    values.reserveCapacity(pairs.count)
    var positions: [String: Int] = [:]
    let isSmall = pairs.count <= Shape.few
    for (key, value) in pairs {
      if let position = isSmall ? keys.firstIndex(of: key) : positions[key] {
        values[position] = value
      } else {
        if !isSmall { positions[key] = keys.count }
        keys.append(key)
        values.append(value)
      }
    }
    self.init(shape: Shape(keys), values: values)
  }

  public var keys: [String] { shape.keys }
  public var count: Int { values.count }

  /// The value of `key`; nil if the record has no such key.
  public subscript(key: String) -> Value? {
    shape.position(of: key).map { values[$0] }
  }

  /// The record with another value for a key. A new key is the last one; otherwise both records share
  /// their shape.
  package func replacing(_ key: String, with value: Value) -> Record {
    guard let position = shape.position(of: key) else {
      return Record(shape: Shape(keys + [key]), values: values + [value])
    }
    var record = self
    record.values[position] = value
    return record
  }
}
