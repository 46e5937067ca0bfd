/// What an object satisfies or not: `name BEGINSWITH[cd] 'e' AND age >= 18`.
///
/// A predicate is total: what cannot be compared is false, and `NOT` turns it. A comparison with
/// null is false, but for `==` and `!=`. Only a part that is no comparison and neither true nor
/// false is an error, when an object is met that has such a value.
public indirect enum Predicate: Sendable {
  case comparison(Comparison)
  /// A value that is true or false itself; null is false.
  case boolean(Operand)
  case not(Predicate)
  case and([Predicate])
  case or([Predicate])

  /// What gives a value for an object.
  public indirect enum Operand: Sendable {
    case value(Value)
    /// `SELF`.
    case object
    case key(ObjectKeyPath)
    /// A path on what another operand gives.
    case path(Operand, ObjectKeyPath)
    case array([Operand])
    case record([(key: String, value: Operand)])
    /// `(a > 1) == true`.
    case predicate(Predicate)
  }

  /// Two operands and what is claimed of them.
  public struct Comparison: Sendable {
    public let left: Operand
    public let `operator`: ComparisonOperator
    public let right: Operand
    let pattern: TextPattern?

    /// - Throws: ``TableError/badArgument(_:)`` when the right side is a value that the operator
    ///   cannot take: no list for `IN`, not two values for `BETWEEN`, no text for `LIKE`, no regular
    ///   expression for `MATCHES`.
    public init(_ left: Operand, _ operator: ComparisonOperator, _ right: Operand)
      throws(TableError)
    {
      self.left = left
      self.operator = `operator`
      self.right = right
      do throws(ComparisonError) {
        pattern = try `operator`.prepared(right)
      } catch {
        throw error.tableError
      }
    }
  }
}

extension ComparisonOperator {
  /// Checks a right side that is the same for all objects.
  fileprivate func prepared(_ right: Predicate.Operand) throws(ComparisonError) -> TextPattern? {
    switch (kind, right) {
    case (.between, .array(let bounds)) where bounds.count != 2: throw .noBounds
    case (_, .value(.null)): return nil
    case (.in, .value(let list)):
      _ = try elements(list)
      return nil
    case (.between, .value(let bounds)):
      guard try elements(bounds).count == 2 else { throw .noBounds }
      return nil
    // What an array CONTAINS need be no text.
    case (.contains, .value(.string(let text))): return try TextPattern(text, .contains, options)
    case (.contains, _): return nil
    case (.beginsWith, .value(let value)), (.endsWith, .value(let value)),
      (.like, .value(let value)), (.matches, .value(let value)):
      guard case .string(let text) = value else { throw .noText(value, kind) }
      return try TextPattern(text, kind, options)
    default: return nil
    }
  }
}
