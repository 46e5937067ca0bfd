/// How the cells of a column are read: their type and, if it is not the usual one, their notation.
///
/// A copy costs one reference count, and none for the usual notation.
struct CellForm: Hashable, Sendable {
  enum Notation: Hashable, Sendable {
    /// Numbers in JSON's syntax and in the forms of ``Scalar/writtenNumber(_:_:)``, `true` and
    /// `false`, ISO 8601 dates.
    case usual
    /// Integers in several forms: `+5`, `1,234`.
    case written
    case date(WrittenDate.Order)
    case pattern(DatePattern)
    /// Numbers of seconds or of milliseconds, as dates.
    case seconds, milliseconds
    case hex
  }

  let type: ColumnType
  /// Whether the type was requested: a cell that does not fit is null, not a string.
  let isRequested: Bool
  /// nil for the usual notation and style.
  private let details: Details?

  private final class Details: Hashable, Sendable {
    let notation: Notation
    let style: NumberStyle

    init(_ notation: Notation, _ style: NumberStyle) {
      self.notation = notation
      self.style = style
    }

    static func == (left: Details, right: Details) -> Bool {
      left.notation == right.notation && left.style == right.style
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(notation)
      hasher.combine(style)
    }
  }

  init(
    _ type: ColumnType, _ notation: Notation = .usual, style: NumberStyle = NumberStyle(),
    isRequested: Bool = false
  ) {
    self.type = type
    self.isRequested = isRequested
    details =
      notation == .usual && style == NumberStyle() ? nil : Details(notation, style)
  }

  /// The form of a requested type.
  /// - Parameter order: the order of day and month in dates, if it is known.
  init(_ type: RequestedType, order: WrittenDate.Order?, style: NumberStyle) {
    let notation: Notation =
      switch type {
      case .integer where style != NumberStyle(): .written
      case .date: order.map(Notation.date) ?? .usual
      case .seconds: .seconds
      case .milliseconds: .milliseconds
      case .hex: .hex
      case .pattern(let pattern): .pattern(pattern)
      case .integer, .real, .bool, .string, .value: .usual
      }
    self.init(type.type, notation, style: style, isRequested: !type.fitsAll)
  }

  /// The order of day, month and year of dates that are not in ISO form.
  var dateOrder: WrittenDate.Order? {
    if case .date(let order)? = details?.notation { order } else { nil }
  }

  /// The kind of the keys that the cells may have; nil if they have no keys.
  var kind: NumericColumn.Kind? {
    switch type {
    // The keys of integers stand for their shortest form only.
    case .integer: details == nil ? .integer : .real
    case .real: .real
    case .date: .date
    case .bool, .string, .value: nil
    }
  }
}

extension CellForm {
  /// The value of a cell that is neither empty nor a word for null; nil if the cell does not fit.
  func value(of cell: UnsafeRawBufferPointer) -> Value? {
    switch type {
    case .integer, .real:
      guard details == nil, let number = Scalar.number(cell) else { return otherNumber(cell) }
      return isRequested ? fitting(number) : number
    case .bool: return (Scalar.bool(cell) ?? word(cell)).map { .bool($0) }
    case .date:
      if details == nil, let date = Scalar.date(cell) { return .date(date) }
      return date(cell).map { .date($0) }
    case .string, .value: return .string(String(decoding: cell, as: UTF8.self))
    }
  }

  /// Whether a cell is in the usual notation of the type. If not, it may fit nevertheless.
  func surelyFits(_ cell: UnsafeRawBufferPointer) -> Bool {
    guard details == nil else { return false }
    return switch type {
    case .integer: Scalar.integer(cell) != nil
    case .real: Scalar.integer(cell) != nil || Scalar.real(cell) != nil
    case .bool: Scalar.bool(cell) != nil
    case .date: Scalar.moment(cell) != nil
    case .string, .value: true
    }
  }

  private func otherNumber(_ cell: UnsafeRawBufferPointer) -> Value? {
    if details?.notation == .hex { return Scalar.hexadecimal(cell) }
    let style = details?.style ?? NumberStyle()
    if style.allowsPlainNumbers, let number = Scalar.number(cell) { return fitting(number) }
    return Scalar.writtenNumber(cell, style).flatMap(fitting)
  }

  /// The number, unless an integer was requested and it is not whole, or has over 64 bits.
  private func fitting(_ number: Value) -> Value? {
    guard isRequested, type == .integer, case .real(let real) = number else { return number }
    guard real.isFinite, ExactDecimal(real.number).integer != nil else { return nil }
    return number
  }

  /// A bool in the words that a request accepts, which are too common to be detected.
  private func word(_ cell: UnsafeRawBufferPointer) -> Bool? {
    isRequested ? BoolWord(cell.trimmingBlanks())?.value : nil
  }

  private func date(_ cell: UnsafeRawBufferPointer) -> Timestamp? {
    guard let moment = moment(cell) else { return nil }
    switch details?.notation {
    // A number needs a text that shows the date.
    case .seconds, .milliseconds: return Timestamp(moment, text: moment.isoText)
    default:
      return Timestamp(moment, text: String(decoding: cell.trimmingBlanks(), as: UTF8.self))
    }
  }

  private func moment(_ cell: UnsafeRawBufferPointer) -> Moment? {
    switch details?.notation {
    case .pattern(let pattern): return pattern.moment(cell)
    case .seconds: return epoch(cell, places: 0)
    case .milliseconds: return epoch(cell, places: 3)
    case .date(let order):
      if isRequested || order == .yearMonthDay, let moment = Scalar.moment(cell) { return moment }
      return WrittenDate(cell)?.moment(order)
    case .usual, .written, .hex, nil:
      if let moment = Scalar.moment(cell.trimmingBlanks()) { return moment }
      guard isRequested, let date = WrittenDate(cell), date.isDotted else { return nil }
      return date.moment(.dayMonthYear)
    }
  }

  private func epoch(_ cell: UnsafeRawBufferPointer, places: Int) -> Moment? {
    let style = details?.style ?? NumberStyle()
    return (Scalar.number(cell) ?? Scalar.writtenNumber(cell, style)).flatMap {
      Moment(epoch: $0, places: places)
    }
  }
}

extension CellForm {
  /// The key of a cell that is neither empty nor a word for null; nil if the cell does not fit or
  /// has no key of its own.
  @inline(__always)
  func key(of cell: UnsafeRawBufferPointer, _ kind: NumericColumn.Kind) -> UInt64? {
    if details == nil, let key = kind.key(of: cell) { return key }
    return otherKey(of: cell, kind)
  }

  @inline(never)
  private func otherKey(
    of cell: UnsafeRawBufferPointer, _ kind: NumericColumn.Kind
  ) -> UInt64? {
    guard let value = value(of: cell) else {
      return isRequested || cell.isBlank ? NumericColumn.null : nil
    }
    return NumericColumn.key(of: value, kind)
  }
}

extension NumericColumn {
  /// The key of a value in a column of a kind; nil if it has another type or no key of its own.
  static func key(of value: Value, _ kind: Kind) -> UInt64? {
    switch (kind, value) {
    case (_, .null): null
    case (.integer, .integer(let integer)): key(integer)
    case (.real, .integer(let integer)):
      integer.magnitude < 1_000_000_000_000_000 ? key(Double(integer)) : nil
    case (.real, .real(let real)): uniqueKey(real)
    case (.date, .date(let date)): date.moment.ticks.flatMap { key($0) }
    default: nil
    }
  }

  /// The key of a number; nil if another number has the same key.
  fileprivate static func uniqueKey(_ real: Real) -> UInt64? {
    guard real.isFinite else { return key(real.value) }
    guard real.value.isFinite else { return nil }
    var number = real.number
    return number.withUTF8 { Kind.real.key(of: UnsafeRawBufferPointer($0)) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are only spaces and tabs.
  var isBlank: Bool { allSatisfy(\.isBlank) }
}
