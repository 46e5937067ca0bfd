/// Dotted keys applied to an object: `address.city`, `name.firstCharacter`, `tags[0]`,
/// `items.@sum.price`, `tags[-1]`, `tags[0:3]`.
public struct ObjectKeyPath: Hashable, Sendable {
  public enum Step: Hashable, Sendable {
    /// A key of a record, or a ``DerivedKey`` of an object that is not a record.
    case key(String)
    /// An index in an array, from 0; a negative one counts from the end, -1 for the last element.
    case index(Int)
    /// A range of indexes without its upper bound; nil for the start or the end of the array. The
    /// result is an array, which is empty outside of the array.
    case range(Int?, Int?)
    /// An operator that reduces the elements of an array to one value. The following steps apply to
    /// each element.
    case collection(CollectionOperator)

    /// The step for an unquoted word: an operator such as `@sum`, otherwise a key.
    public init(word: String) {
      // Most words do not start like an operator and need not be compared with all of them.
      let operation =
        word.utf8.first == UInt8(ascii: "@") ? CollectionOperator(rawValue: word) : nil
      self = operation.map { .collection($0) } ?? .key(word)
    }
  }

  /// Empty for the path of the object itself. Such a path cannot be typed.
  public let steps: [Step]

  public init(_ steps: [Step]) { self.steps = steps }

  /// A path of one key, which may contain any character.
  public init(key: String) { self.init([.key(key)]) }
}

extension ObjectKeyPath: CustomStringConvertible {
  /// The path as it is typed. Keys with special characters are quoted.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .range(let lower, let upper):
        text += "[\(lower.map(String.init) ?? ""):\(upper.map(String.init) ?? "")]"
      case .key(let key): text += (text.isEmpty ? "" : ".") + Self.quotedIfNeeded(key)
      case .collection(let kind): text += (text.isEmpty ? "" : ".") + kind.rawValue
      }
    }
    return text
  }

  private static func quotedIfNeeded(_ key: String) -> String {
    if !key.isEmpty, !key.hasPrefix("#"), !key.hasSuffix(":"),
      CollectionOperator(rawValue: key) == nil,
      !key.unicodeScalars.contains(where: isSpecial)
    {
      return key
    }
    var text = "\""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.properties.generalCategory == .control:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Whether the scalar ends a word, starts a step or a quote, or is invisible.
  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
      return true
    }
    switch scalar {
    case ".", ",", ";", "|", "[", "]", "{", "}", "(", ")", "\"", "'", "\\": return true
    default: return false
    }
  }
}

extension ObjectKeyPath {
  /// The value at the path in `object`; null if `object` does not have one.
  ///
  /// A key of a record takes precedence over a derived key of the same name. Applied to an array, a
  /// key maps the elements; the result is an array of the results, including nulls.
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
    case (.key(let key), .record(let record)):
      record[key] ?? (key == DerivedKey.itself ? value : .null)
    case (.key, .array(let elements)): .array(elements.map { apply(step, to: $0) })
    case (.key(let key), _): DerivedKey.named(key)?.evaluate(value) ?? .null
    case (.index(let index), .array(let elements)):
      // No array has as many elements as the least integer has below 0.
      element(of: elements, at: index < 0 ? elements.count + max(index, -Int.max) : index)
    case (.range(let lower, let upper), .array(let elements)):
      .array(Array(elements[range(lower, upper, of: elements.count)]))
    case (.index, _), (.range, _): .null
    // A record may have a key that is spelled like an operator: in JSON-LD, keys start with `@`.
    case (.collection(let kind), .record(let record)): record[kind.rawValue] ?? .null
    case (.collection, _): .null
    }
  }

  private static func element(of elements: [Value], at index: Int) -> Value {
    elements.indices.contains(index) ? elements[index] : .null
  }

  /// The indexes of a range in an array of `count` elements.
  package static func range(_ lower: Int?, _ upper: Int?, of count: Int) -> Range<Int> {
    func position(_ bound: Int) -> Int {
      bound < 0 ? max(0, count + max(bound, -count)) : min(bound, count)
    }
    let start = position(lower ?? 0)
    return start..<max(start, position(upper ?? count))
  }
}

extension [ObjectKeyPath] {
  /// Whether a key path is one of these, or is derived from one of these.
  func includeBase(of path: ObjectKeyPath) -> Bool {
    contains { path.steps.starts(with: $0.steps) }
  }
}
