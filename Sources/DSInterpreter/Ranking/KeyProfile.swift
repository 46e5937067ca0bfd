import DataTables

/// The values of a key in some objects.
struct KeyProfile {
  let path: ObjectKeyPath
  /// The number of objects, also of those without a value.
  let objects: Int
  let nulls: Int
  /// The number of objects with each value, without null.
  let counts: [Value: Int]
  /// The types of the values, without null.
  let types: Set<ValueType>

  /// The maximum number of keys that are examined, and of the keys of each record under a key.
  private static let maxKeys = 64
  private static let maxNestedKeys = 8

  /// - Complexity: O(objects).
  init(_ path: ObjectKeyPath, of objects: [Value]) {
    self.path = path
    self.objects = objects.count
    var nulls = 0
    var counts: [Value: Int] = [:]
    var types: Set<ValueType> = []
    for object in objects {
      let value = path.evaluate(on: object)
      if value.isNull {
        nulls += 1
      } else {
        types.insert(value.type)
        counts[value, default: 0] += 1
      }
    }
    self.nulls = nulls
    self.counts = counts
    self.types = types
  }

  /// The profiles of the keys of records, also of those of the records under these keys; for other
  /// objects, the profile of the objects themselves.
  /// - Parameter keys: the keys of the objects, in order.
  static func all(of objects: [Value], keys: [String]) -> [KeyProfile] {
    if keys.isEmpty { return [KeyProfile(.itself, of: objects)] }
    return keys.prefix(maxKeys).flatMap { key -> [KeyProfile] in
      let profile = KeyProfile(ObjectKeyPath(key: key), of: objects)
      guard profile.types == [.record], profile.path.canContinue else { return [profile] }
      return nestedKeys(under: profile.path, of: objects).map {
        KeyProfile(ObjectKeyPath(profile.path.steps + [.key($0)]), of: objects)
      }
    }
  }

  /// In the order of their first appearance.
  private static func nestedKeys(under path: ObjectKeyPath, of objects: [Value]) -> [String] {
    var found: [String] = []
    for object in objects where found.count < maxNestedKeys {
      guard case .record(let record) = path.evaluate(on: object) else { continue }
      found += record.keys.filter { !found.contains($0) }
    }
    return Array(found.prefix(maxNestedKeys))
  }

  /// Whether the values can number the objects: integers that all differ.
  var areNumbersOfObjects: Bool {
    isUnique && counts.keys.allSatisfy { if case .integer = $0 { true } else { false } }
  }

  /// Whether no two objects have the same value.
  var isUnique: Bool { !counts.isEmpty && counts.count == objects - nulls }

  /// The only type of the values; nil if there are several or none.
  var type: ValueType? { types.count == 1 ? types.first : nil }

  /// Whether all values are dates or strings in ISO form.
  var hasDates: Bool {
    type == .date || type == .string && counts.keys.allSatisfy { $0.timestamp != nil }
  }

  /// Whether most values begin with a letter.
  var hasWords: Bool {
    let words = counts.keys.count { value in
      if case .string(let text) = value { text.first?.isLetter ?? false } else { false }
    }
    return words * 2 > counts.count
  }

  /// The path of a key that is derived from the values.
  func deriving(_ key: String) -> ObjectKeyPath {
    ObjectKeyPath((path == .itself ? [] : path.steps) + [.key(key)])
  }

  /// The sizes of the sections whose titles a function computes from the values, the smallest first;
  /// the objects without a value form one section.
  func sizes(by title: (Value) -> Value = { $0 }) -> [Int] {
    var sizes: [Value: Int] = [:]
    for (value, count) in counts { sizes[title(value), default: 0] += count }
    if nulls > 0 { sizes[.null, default: 0] += nulls }
    return sizes.values.sorted()
  }
}

extension ObjectKeyPath {
  static let itself = ObjectKeyPath(key: "SELF")

  /// Whether a path that continues this one can be typed: a quoted key is a whole path, or follows a
  /// dot.
  var canContinue: Bool { !description.hasPrefix("\"") }
}
