/// Different keys in order. Few keys are searched one after another, many in a table.
package struct KeyPositions: Sendable {
  package private(set) var keys: [String] = []
  /// The positions of the keys, once there are many.
  private var positions: [String: Int] = [:]

  private static let few = 8

  package init() {}

  /// The position of a key; nil if it was not added.
  package func position(of key: String) -> Int? {
    keys.count <= Self.few ? keys.firstIndex(of: key) : positions[key]
  }

  /// - Precondition: the key was not added before.
  package mutating func append(_ key: String) {
    if keys.count == Self.few {
      for (position, key) in keys.enumerated() { positions[key] = position }
    }
    if keys.count >= Self.few { positions[key] = keys.count }
    keys.append(key)
  }
}
