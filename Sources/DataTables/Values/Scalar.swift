/// Reads scalars from the bytes of a field, without making a string of them.
///
/// All of the bytes must be the scalar: white space around it makes it a string.
public enum Scalar {
  /// true or false, in any case.
  public static func bool(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    switch bytes.count {
    case 4: spells(bytes, "true") ? true : nil
    case 5: spells(bytes, "false") ? false : nil
    default: nil
    }
  }

  private static func spells(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
    for index in 0..<bytes.count where bytes[index] | 0x20 != word.utf8Start[index] {
      return false
    }
    return true
  }

  /// A date; nil when the bytes are not an ISO 8601 date.
  public static func date(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    guard let moment = moment(bytes) else { return nil }
    return Timestamp(moment, text: String(decoding: bytes, as: UTF8.self))
  }

  /// A number in JSON's form, which keeps its text unless it is a plain 64-bit integer.
  public static func number(_ bytes: UnsafeRawBufferPointer) -> Value? {
    if let integer = integer(bytes) { return .integer(integer) }
    guard let value = real(bytes) else { return nil }
    return .real(Real(text: String(decoding: bytes, as: UTF8.self), value: value))
  }
}

extension Value {
  /// The value that `literal` spells: JSON's number form is a number, ISO 8601 a date, `true`,
  /// `false` and `null` themselves; anything else is a string, `007` and `+1` too.
  public init(literal: String) {
    var literal = literal
    let scalar: Value? = literal.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      return Scalar.number(bytes) ?? Scalar.date(bytes).map(Value.date)
    }
    if let scalar {
      self = scalar
      return
    }
    self =
      switch literal {
      case "true": true
      case "false": false
      case "null": nil
      default: .string(literal)
      }
  }
}
