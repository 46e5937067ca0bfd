package import DataTables

/// The type that values have in common, and whether some are null.
package struct ValueShape: Sendable, Equatable {
  package indirect enum Kind: Sendable, Equatable {
    /// No value is known.
    case nothing
    case bool, integer, double, decimal, string, data
    case date(DateForm)
    case array(ValueShape)
    /// The keys in the order in which they first appear.
    case record([Field])
    /// Values of several types.
    case mixed([ValueType])
  }

  /// How dates are written.
  package enum DateForm: Sendable, Equatable {
    /// `2012-11-02`
    case day
    /// `2012-11-02T10:00:00Z`, with a zone and without a fraction.
    case instant
    /// In several ways.
    case varied
  }

  package struct Field: Sendable, Equatable {
    package var key: String
    package var shape: ValueShape
  }

  package var kind: Kind = .nothing
  /// Whether a value is null or missing.
  package var isOptional = false

  package init(_ kind: Kind = .nothing, isOptional: Bool = false) {
    self.kind = kind
    self.isOptional = isOptional
  }

  /// The shape of values, some of them null.
  package init(of values: some Sequence<Value>) {
    for value in values { add(value) }
  }

  /// Widens the shape by a value.
  package mutating func add(_ value: Value) {
    switch value {
    case .null: isOptional = true
    case .record(let record): add(record)
    case .array(let elements):
      var element = ValueShape()
      switch kind {
      case .nothing: break
      case .array(let old): element = old
      default: return mix(.array)
      }
      for value in elements { element.add(value) }
      kind = .array(element)
    default:
      let new = Self.kind(of: value)
      kind = kind == .nothing ? new : Self.joined(kind, new, value.type)
    }
  }

  private mutating func add(_ record: Record) {
    var fields: [Field]
    switch kind {
    case .nothing: fields = []
    case .record(let old): fields = old
    default: return mix(.record)
    }
    let isFirst = kind == .nothing
    for (key, value) in zip(record.keys, record.values) {
      if let index = fields.firstIndex(where: { $0.key == key }) {
        fields[index].shape.add(value)
      } else {
        // The records before lack it.
        var shape = ValueShape(isOptional: !isFirst)
        shape.add(value)
        fields.append(Field(key: key, shape: shape))
      }
    }
    for index in fields.indices where record[fields[index].key] == nil {
      fields[index].shape.isOptional = true
    }
    kind = .record(fields)
  }

  private mutating func mix(_ type: ValueType) {
    kind = Self.mixed(kind, type)
  }

  private static func kind(of value: Value) -> Kind {
    switch value {
    case .bool: .bool
    case .integer: .integer
    case .real(let real): isDouble(real) ? .double : .decimal
    case .string: .string
    case .data: .data
    case .date(let date):
      if !date.hasTime {
        .date(.day)
      } else if date.offset != nil, date.nanoseconds == 0 {
        .date(.instant)
      } else {
        .date(.varied)
      }
    case .null, .array, .record: .nothing
    }
  }

  /// Whether a double keeps all digits of a number.
  private static func isDouble(_ real: Real) -> Bool {
    guard real.value.isFinite else { return !real.isFinite }
    return Real(real.value) == real
  }

  private static func joined(_ left: Kind, _ right: Kind, _ type: ValueType) -> Kind {
    switch (left, right) {
    case _ where left == right: left
    case (.integer, .double), (.double, .integer): .double
    case (.integer, .decimal), (.double, .decimal), (.decimal, .integer), (.decimal, .double):
      .decimal
    case (.date, .date): .date(.varied)
    default: mixed(left, type)
    }
  }

  private static func mixed(_ kind: Kind, _ type: ValueType) -> Kind {
    var types = Set([type])
    switch kind {
    case .nothing: break
    case .bool: types.insert(.bool)
    case .integer, .double, .decimal: types.insert(.number)
    case .string: types.insert(.string)
    case .data: types.insert(.data)
    case .date: types.insert(.date)
    case .array: types.insert(.array)
    case .record: types.insert(.record)
    case .mixed(let old): types.formUnion(old)
    }
    return .mixed(types.sorted())
  }

  /// The fields of records; empty for other values.
  package var fields: [Field] { if case .record(let fields) = kind { fields } else { [] } }

  /// The same shape for a value that is never null.
  var required: ValueShape { ValueShape(kind) }

  /// The same shape for a value that may be null.
  var optional: ValueShape { ValueShape(kind, isOptional: true) }

  /// The shape of the values of both.
  func merged(_ other: ValueShape) -> ValueShape {
    let isOptional = isOptional || other.isOptional
    switch (kind, other.kind) {
    case (.nothing, _): return ValueShape(other.kind, isOptional: isOptional)
    case (_, .nothing): return ValueShape(kind, isOptional: isOptional)
    case (.array(let left), .array(let right)):
      return ValueShape(.array(left.merged(right)), isOptional: isOptional)
    case (.record(let left), .record(let right)):
      let keys = right.map(\.key)
      var fields = left.map { field in
        let same = right.first { $0.key == field.key }
        return Field(
          key: field.key, shape: same.map { field.shape.merged($0.shape) } ?? field.shape.optional)
      }
      for key in keys where !left.contains(where: { $0.key == key }) {
        let new = right.filter { $0.key == key }
        fields += new.map { Field(key: key, shape: $0.shape.optional) }
      }
      return ValueShape(.record(fields), isOptional: isOptional)
    default:
      return ValueShape(
        Self.joined(kind, other.kind, Self.type(of: other.kind)), isOptional: isOptional)
    }
  }

  private static func type(of kind: Kind) -> ValueType {
    switch kind {
    case .nothing: .null
    case .bool: .bool
    case .integer, .double, .decimal: .number
    case .string: .string
    case .data: .data
    case .date: .date
    case .array: .array
    case .record: .record
    case .mixed(let types): types.first ?? .null
    }
  }
}
