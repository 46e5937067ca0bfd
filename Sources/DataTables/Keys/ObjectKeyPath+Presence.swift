extension ObjectKeyPath {
  /// Checks that some object has a value at the path. An object with a null or an empty array after
  /// the first key passes too, because that value could have any key. It does not pass if another
  /// object lacks a key after the first one.
  ///
  /// - Throws: ``TableError/unknownKey(_:known:)`` with the first key that no object has, and the
  ///   keys that are possible in its place.
  /// - Complexity: O(1) if the first object has a value, O(objects) otherwise.
  package func checkKnown(to objects: [Value]) throws(TableError) {
    try Self.checkKnown(steps[...], to: objects)
  }

  /// Does the same for all steps of a path, or for its remaining steps if `objects` are the values
  /// at the preceding steps.
  static func checkKnown(
    _ steps: ArraySlice<Step>, to objects: some Collection<Value>
  ) throws(TableError) {
    var presence = KeyPresence(steps)
    presence.add(objects)
    try presence.check()
  }

  /// The keys that can follow the path: those of the records in its place, then the operators of
  /// arrays, then the derived keys that have a value there.
  ///
  /// - Parameter objects: only the first 1,000 are read.
  package func following(in objects: some Collection<Value>) -> [String] {
    let derived = Set(DerivedKey.all.map(\.name))
    let steps = steps.filter { if case .collection = $0 { false } else { true } }[...]
    let values = objects.prefix(1_000).map { Self.evaluate(steps, on: $0) }
    return Self.known(to: objects, after: steps).filter { key in
      !derived.contains(key)
        || values.contains { value in
          switch Self.apply(.key(key), to: value) {
          case .null: false
          case .array(let elements): elements.contains { !$0.isNull }
          default: true
          }
        }
    }
  }

  fileprivate enum Presence {
    case present
    /// A null or an empty array hides the rest of the path.
    case hidden
    case missing(step: Int)
  }

  fileprivate static func presence(of steps: ArraySlice<Step>, in object: Value) -> Presence {
    var value = object
    for (index, step) in zip(steps.indices, steps) {
      if case .collection(let kind) = step, case .array(let elements) = value {
        return kind == .count ? .present : presence(of: steps[(index + 1)...], inAnyOf: elements)
      }
      if !isKnown(step, to: value) {
        let isOpen = value.isNull || value == .array([])
        return isOpen && index > 0 ? .hidden : .missing(step: index)
      }
      value = apply(step, to: value)
    }
    return .present
  }

  private static func presence(
    of steps: ArraySlice<Step>, inAnyOf elements: [Value]
  ) -> Presence {
    guard !elements.isEmpty else { return .hidden }
    var result = Presence.hidden
    for element in elements {
      switch presence(of: steps, in: element) {
      case .present: return .present
      case .hidden: break
      case .missing(let step): result = .missing(step: step)
      }
    }
    return result
  }

  private static func isKnown(_ step: Step, to value: Value) -> Bool {
    switch (step, value) {
    case (.key(let key), .record(let record)):
      record.shape.position(of: key) != nil || key == DerivedKey.itself
    case (.key, .array(let elements)): elements.contains { isKnown(step, to: $0) }
    case (.key(let key), _): DerivedKey.named(key)?.applies(to: value.type) ?? false
    case (.index, .array), (.range, .array): true
    case (.index, _), (.range, _): false
    case (.collection(let kind), .record(let record)):
      record.shape.position(of: kind.rawValue) != nil
    case (.collection, .array): true
    case (.collection, _): false
    }
  }

  /// The keys of the values at `steps` in the first 1,000 objects, then the operators and derived
  /// keys that apply to them.
  fileprivate static func known(
    to objects: some Collection<Value>, after steps: ArraySlice<Step>
  ) -> [String] {
    var keys: [String] = []
    var types: Set<ValueType> = []
    // An operator reduces the elements to one value, but the known keys are the keys of the
    // elements.
    let steps = steps.filter { if case .collection = $0 { false } else { true } }[...]
    for object in objects.prefix(1_000) {
      let value = evaluate(steps, on: object)
      if case .array = value { types.insert(.array) }
      let elements = if case .array(let elements) = value { elements } else { [value] }
      for element in elements {
        types.insert(element.type)
        guard case .record(let record) = element else { continue }
        for key in record.keys where !keys.contains(key) { keys.append(key) }
      }
    }
    let operators = types.contains(.array) ? CollectionOperator.allCases.map(\.rawValue) : []
    return keys + operators
      + DerivedKey.all.filter { key in
        key.name != DerivedKey.itself && types.contains(where: key.applies(to:))
      }.map(\.name)
  }
}

/// Whether some of the objects that are added one batch after another have a value at a path; see
/// ``ObjectKeyPath/checkKnown(to:)``.
package struct KeyPresence {
  private let steps: ArraySlice<ObjectKeyPath.Step>
  private var isPresent: Bool
  private var mayBePresent = false
  /// The last step that the objects lack, and the keys that are possible in its place.
  private var furthest: (step: Int, known: [String])?

  package init(_ path: ObjectKeyPath) { self.init(path.steps[...]) }

  fileprivate init(_ steps: ArraySlice<ObjectKeyPath.Step>) {
    self.steps = steps
    isPresent = steps.isEmpty
  }

  package mutating func add(_ objects: some Collection<Value>) {
    if isPresent { return }
    var step = furthest?.step
    for object in objects {
      switch ObjectKeyPath.presence(of: steps, in: object) {
      case .present:
        isPresent = true
        return
      case .hidden: mayBePresent = true
      case .missing(let missing): step = max(step ?? missing, missing)
      }
    }
    if let step, step != furthest?.step {
      furthest = (step, ObjectKeyPath.known(to: objects, after: steps[..<step]))
    }
  }

  /// - Throws: ``TableError/unknownKey(_:known:)`` if no object has a value.
  package func check() throws(TableError) {
    guard !isPresent, let furthest, furthest.step > 0 || !mayBePresent else {
      return
    }
    throw .unknownKey(ObjectKeyPath([steps[furthest.step]]).description, known: furthest.known)
  }
}
