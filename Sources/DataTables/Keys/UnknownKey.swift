/// A key that no object has, for messages.
package struct UnknownKey: CustomStringConvertible {
  let key: String

  package init(_ key: String) { self.key = key }

  /// `` `nme` ``; of what is a key elsewhere `` `firstCharacter`, which only strings have``.
  package var description: String {
    "`\(key)`" + (owner.map { ", which only \($0) have" } ?? "")
  }

  private var owner: String? {
    if key.hasPrefix("[") || CollectionOperator(rawValue: key) != nil { return "arrays" }
    return DerivedKey.named(key)?.owner
  }
}

extension DerivedKey {
  fileprivate var owner: String? {
    switch function {
    case .string: "strings"
    case .date: "dates"
    case .number: "numbers"
    case .itself: nil
    }
  }
}

extension ObjectKeyPath {
  /// Makes sure that some object has what the path asks for; a null on the way might have it.
  ///
  /// - Throws: ``TableError/unknownKey(_:known:)`` with the first key that none has, and those that
  ///   could stand in its place.
  /// - Complexity: O(1) when the first object has it, O(objects) otherwise.
  package func checkKnown(to objects: [Value]) throws(TableError) {
    try Self.checkKnown(steps[...], to: objects)
  }
}
