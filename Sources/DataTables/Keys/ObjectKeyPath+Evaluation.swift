extension ObjectKeyPath {
  /// What stands under the path in `object`; null when nothing does.
  ///
  /// A record's own key wins over a derived key of the same name. On an array a key maps over the
  /// elements and gives an array of the results, nulls among them.
  public func evaluate(on object: Value) -> Value { Self.evaluate(steps[...], on: object) }

  static func evaluate(_ steps: ArraySlice<Step>, on object: Value) -> Value {
    var value = object
    for (index, step) in zip(steps.indices, steps) {
      if case .collection(let kind) = step, case .array(let elements) = value {
        return kind.evaluate(steps[(index + 1)...], on: elements)
      }
      value = apply(step, to: value)
    }
    return value
  }

  static func apply(_ step: Step, to value: Value) -> Value {
    switch (step, value) {
    case (.key(let key), .record(let record)): record[key] ?? .null
    case (.key, .array(let elements)): .array(elements.map { apply(step, to: $0) })
    case (.key(let key), _): DerivedKey.named(key)?.evaluate(value) ?? .null
    case (.index(let index), .array(let elements)):
      elements.indices.contains(index) ? elements[index] : .null
    case (.index, _): .null
    // Records may have such keys, as those of JSON-LD do.
    case (.collection(let kind), .record(let record)): record[kind.rawValue] ?? .null
    case (.collection, _): .null
    }
  }
}
