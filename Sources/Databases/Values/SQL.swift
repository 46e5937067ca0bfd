public import DataTables

/// An SQL statement, or a part of one, with values bound to it.
///
/// Values interpolated into a literal are bound, never pasted into the text:
/// ```swift
/// let sql: SQL = "SELECT count(*) FROM \(dialect.name("people")) WHERE age >= \(value: 18)"
/// ```
public struct SQL: Sendable {
  public enum Piece: Sendable {
    case text(String)
    case value(Value)
  }
  public private(set) var pieces: [Piece] = []

  public init() {}

  /// A text of SQL, without values.
  public init(_ text: String) {
    if !text.isEmpty { pieces = [.text(text)] }
  }

  public var isEmpty: Bool { pieces.isEmpty }

  /// The values, in order.
  public var values: [Value] {
    pieces.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The statement as text.
  /// - Parameter spelling: the text for a value, given its position among the values, from 0.
  public func text(_ spelling: (Value, Int) -> String) -> String {
    var text = ""
    var count = 0
    for piece in pieces {
      switch piece {
      case .text(let piece): text += piece
      case .value(let value):
        text += spelling(value, count)
        count += 1
      }
    }
    return text
  }

  public mutating func append(_ text: String) {
    guard !text.isEmpty else { return }
    if case .text(let last)? = pieces.last {
      pieces[pieces.count - 1] = .text(last + text)
    } else {
      pieces.append(.text(text))
    }
  }

  public mutating func append(_ other: SQL) {
    for piece in other.pieces {
      switch piece {
      case .text(let text): append(text)
      case .value: pieces.append(piece)
      }
    }
  }

  public mutating func append(value: Value) { pieces.append(.value(value)) }

  public static func + (left: SQL, right: SQL) -> SQL {
    var result = left
    result.append(right)
    return result
  }

  public static func += (left: inout SQL, right: SQL) { left.append(right) }
}

extension SQL: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }

  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

  public struct StringInterpolation: StringInterpolationProtocol {
    var sql = SQL()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: String) { sql.append(text) }
    /// A part of a statement.
    public mutating func appendInterpolation(_ part: SQL) { sql.append(part) }
    /// A value to bind.
    public mutating func appendInterpolation(value: Value) { sql.append(value: value) }
  }
}

extension Sequence<SQL> {
  /// The parts with `separator` between them.
  public func joined(separator: String) -> SQL {
    var result = SQL()
    for (index, part) in enumerated() {
      if index > 0 { result.append(separator) }
      result.append(part)
    }
    return result
  }
}
