import DataTables
import Databases
import GRDBSQLite

/// Collects what is true of the values of a column.
struct ColumnScan {
  private let kind: DatabaseColumn.Kind
  private(set) var count = 0
  private var hasNulls = false
  private var hasNumbers = false
  private var hasIntegers = false
  /// Whether there are reals that are equal to integers.
  private var hasWholeReals = false
  private var hasNegativeZero = false
  private var hasBools = false
  private var hasText = false
  private var hasDates = false
  private var hasData = false
  private var isASCII = true
  private var isNormalized = true
  /// The form of the texts of dates, if all have the same.
  private var dateForm: String?
  private var datesHaveOneForm = true

  init(kind: DatabaseColumn.Kind) { self.kind = kind }

  /// Adds the value of a row.
  mutating func add(_ value: OpaquePointer) {
    count += 1
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: hasNulls = true
    case SQLITE_INTEGER:
      let isBool = kind == .bool && UInt64(bitPattern: sqlite3_value_int64(value)) < 2
      if isBool { hasBools = true } else { (hasNumbers, hasIntegers) = (true, true) }
    case SQLITE_FLOAT:
      hasNumbers = true
      let real = sqlite3_value_double(value)
      if real == real.rounded() { hasWholeReals = true }
      if real == 0, real.sign == .minus { hasNegativeZero = true }
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      add(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    default: hasData = true
    }
  }

  private mutating func add(_ text: UnsafeRawBufferPointer) {
    if kind.isDate, let date = Scalar.date(text) {
      hasDates = true
      let form = ColumnFacts.form(of: date.text)
      if dateForm ?? form != form || date.offset ?? 0 != 0 || date.seconds < yearZero {
        datesHaveOneForm = false
      }
      dateForm = form
      return
    }
    if text.isPlainASCII {
      hasText = true
      return
    }
    isASCII = false
    guard text.isUTF8 else {
      hasData = true
      return
    }
    hasText = true
    if isNormalized, !text.isSurelyCanonical {
      let string = String(decoding: text, as: UTF8.self)
      isNormalized = string.composed.utf8.elementsEqual(string.utf8)
    }
  }

  /// Texts of years with other than four digits are not in the order of time.
  private var yearZero: Int { -62_167_219_200 }

  var facts: ColumnFacts {
    var facts = ColumnFacts()
    facts.hasNulls = hasNulls
    var types: Set<ValueType> = []
    if hasNumbers { types.insert(.number) }
    if hasBools { types.insert(.bool) }
    if hasText { types.insert(.string) }
    if hasDates { types.insert(.date) }
    if hasData { types.insert(.data) }
    facts.types = types
    facts.isASCII = isASCII && !hasDates
    facts.isNormalized = isNormalized
    facts.dateForm = dateForm
    facts.variants =
      !isNormalized || hasIntegers && hasWholeReals ? .all : hasNegativeZero ? .zeros : .none
    // Numbers, texts and data have the order of the shell, also if they are mixed.
    facts.isOrdered =
      (!hasBools || !hasNumbers) && !(hasText && hasData && !isASCII)
      && (!hasDates || types == [.date] && datesHaveOneForm)
    return facts
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var isUTF8: Bool {
    withMemoryRebound(to: UInt8.self) { bytes in
      (try? UTF8Span(validating: Span(_unsafeElements: bytes))) != nil
    }
  }

  fileprivate var isPlainASCII: Bool {
    var offset = 0
    while offset + 8 <= count {
      if loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
        return false
      }
      offset += 8
    }
    while offset < count {
      if self[offset] >= 0x80 { return false }
      offset += 1
    }
    return true
  }
}
