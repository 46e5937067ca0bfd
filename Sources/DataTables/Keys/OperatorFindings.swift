/// The kinds of values that a collection operator reduced, to explain an unexpected result.
package struct OperatorFindings: Sendable {
  /// Values that are null or missing.
  package private(set) var missing = 0
  package private(set) var numbers = 0
  /// Values that are neither numbers nor null.
  package private(set) var others = 0
  /// The first of the other values; nil without any.
  package private(set) var example: Value?
  /// Whether the result is null because it, or a number, is too large for a double.
  package internal(set) var isTooLarge = false
  /// The types of the other values.
  package private(set) var otherTypes: Set<ValueType> = []
  /// The number of strings that were examined, and of those that spell a number.
  private var examined = 0
  private var numerals = 0
  private var lastType = ValueType.null

  /// Enough strings to decide whether a column holds numbers as strings.
  private static let maxExamined = 100

  package init() {}

  init(numbers: Int, missing: Int) {
    self.numbers = numbers
    self.missing = missing
  }

  /// The number of all values.
  package var count: Int { missing + numbers + others }

  /// Whether the other values are strings and most of those that were examined spell numbers.
  package var othersAreNumerals: Bool { otherTypes == [.string] && numerals * 2 > examined }

  mutating func addNumber() { numbers += 1 }

  mutating func add(_ value: Value) {
    switch value {
    case .null: missing += 1
    case .integer, .real: numbers += 1
    default: addOther(value)
    }
  }

  private mutating func addOther(_ value: Value) {
    others += 1
    if example == nil { example = value }
    if value.type != lastType {
      lastType = value.type
      otherTypes.insert(lastType)
    }
    guard case .string(let text) = value, examined < Self.maxExamined else { return }
    examined += 1
    if text.numeral != nil { numerals += 1 }
  }

  package mutating func merge(_ other: OperatorFindings) {
    missing += other.missing
    numbers += other.numbers
    others += other.others
    isTooLarge = isTooLarge || other.isTooLarge
    example = example ?? other.example
    otherTypes.formUnion(other.otherTypes)
    examined += other.examined
    numerals += other.numerals
  }
}

extension String {
  /// The number that the string spells, with white space around it; nil if it spells none.
  package var numeral: Value? {
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return nil }
    var digits = String(unicodeScalars[first...last])
    return digits.withUTF8 { Scalar.number(UnsafeRawBufferPointer($0)) }
  }
}

extension ObjectKeyPath {
  /// The findings of each collection operator in the path, applied to `object`; empty if the path
  /// has none or if it applies to no array.
  ///
  /// - Complexity: that of ``evaluate(on:)``, once for each operator in the path.
  package func operatorFindings(on object: Value) -> [OperatorUse] {
    var uses: [OperatorUse] = []
    Self.collect(steps[...], on: object, &uses)
    return uses
  }

  private static func collect(
    _ steps: ArraySlice<Step>, on object: Value, _ uses: inout [OperatorUse]
  ) {
    guard
      let index = steps.firstIndex(where: { if case .collection = $0 { true } else { false } }),
      case .collection(let kind) = steps[index],
      case .array(let elements) = evaluate(steps[..<index], on: object)
    else { return }
    let rest = steps[(index + 1)...]
    if kind.isNumeric || kind == .minimum || kind == .maximum {
      var result = CollectionOperator.Accumulator(kind)
      for element in elements { result.add(evaluate(rest, on: element)) }
      OperatorUse(kind: kind, rest: ObjectKeyPath(Array(rest)), findings: result.findings)
        .merge(into: &uses)
    }
    for element in elements { collect(rest, on: element, &uses) }
  }
}

/// A collection operator with the steps after it, and its findings.
package struct OperatorUse: Sendable {
  package let kind: CollectionOperator
  /// The steps that apply to each element; may be empty.
  package let rest: ObjectKeyPath
  package private(set) var findings: OperatorFindings

  package init(kind: CollectionOperator, rest: ObjectKeyPath, findings: OperatorFindings) {
    self.kind = kind
    self.rest = rest
    self.findings = findings
  }

  /// Adds the use to `uses`, together with earlier findings of the same operator and steps.
  package func merge(into uses: inout [OperatorUse]) {
    if let index = uses.firstIndex(where: { $0.kind == kind && $0.rest == rest }) {
      uses[index].findings.merge(findings)
    } else {
      uses.append(self)
    }
  }
}
