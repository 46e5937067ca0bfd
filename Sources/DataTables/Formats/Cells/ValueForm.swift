/// Reads values in memory as a type.
struct ValueForm: Sendable {
  let form: CellForm
  private let nulls: CellReader

  init(_ form: CellForm, nulls: CellReader) {
    self.form = form
    self.nulls = nulls
  }

  /// The value as the type; nil if it does not fit. The elements of an array are read one by one.
  ///
  /// Numbers are read by their text, so that 20240131 may be a date in the form yyyyMMdd.
  func value(_ value: Value) -> Value? {
    switch value {
    case .null: return .null
    case .string(let string): return text(string)
    case .integer(let integer): return number(value, String(integer))
    case .real(let real): return number(value, real.isJSON ? real.text : real.number)
    case .bool(let bool):
      switch form.type {
      case .bool, .value: return value
      case .string: return .string(bool ? "true" : "false")
      case .integer, .real, .date: return nil
      }
    case .date(let date):
      switch form.type {
      case .date, .value: return value
      case .string: return .string(date.text)
      case .integer, .real, .bool: return nil
      }
    case .array(let elements):
      if form.type == .value { return value }
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for element in elements {
        guard let element = self.value(element) else { return nil }
        values.append(element)
      }
      return .array(values)
    case .record, .data:
      switch form.type {
      case .value: return value
      case .string: return .string(value.json)
      case .integer, .real, .bool, .date: return nil
      }
    }
  }

  private func text(_ string: String) -> Value? {
    if form.type == .value { return .string(string) }
    var string = string
    return string.withUTF8 { utf8 in
      let cell = UnsafeRawBufferPointer(utf8)
      if nulls.isNull(cell) { return .null }
      if form.type == .string { return .string(String(decoding: cell, as: UTF8.self)) }
      return cell.isBlank ? .null : form.value(of: cell)
    }
  }

  private func number(_ value: Value, _ text: String) -> Value? {
    switch form.type {
    case .value: return value
    case .string: return .string(text)
    case .real: return value
    case .integer, .bool, .date:
      var text = text
      return text.withUTF8 { form.value(of: UnsafeRawBufferPointer($0)) }
    }
  }
}
