/// Numbers for the values of several lists, the same for equal values.
struct ValueClasses {
  /// One a value.
  let numbers: [[UInt32]]
  let count: Int

  /// - Complexity: O(values) expected.
  init(_ lists: [DistinctValues]) {
    if let numbers = Self.textNumbers(lists) {
      self = numbers
      return
    }
    var known = ValueNumbers(capacity: lists.map(\.count).max() ?? 0)
    numbers = lists.map { values in values.map { known.number(of: $0) } }
    count = known.count
  }

  private init(numbers: [[UInt32]], count: Int) {
    self.numbers = numbers
    self.count = count
  }

  /// By bytes, many times faster; nil unless all are strings that are only equal when their bytes
  /// are, or nulls.
  private static func textNumbers(_ lists: [DistinctValues]) -> ValueClasses? {
    let known = ByteDictionary()
    var numbers: [[UInt32]] = []
    for values in lists {
      var list: [UInt32] = []
      list.reserveCapacity(values.count)
      if case .texts(let texts) = values.storage {
        for text in 0..<texts.count {
          if texts.isNull(text) {
            list.append(0)
          } else if let number = number(of: texts.text(text), in: known) {
            list.append(number)
          } else {
            return nil
          }
        }
        numbers.append(list)
        continue
      }
      for value in values {
        switch value {
        case .null: list.append(0)
        case .string(var text):
          let number: UInt32? = text.withUTF8 {
            Self.number(of: UnsafeRawBufferPointer($0), in: known)
          }
          guard let number else { return nil }
          list.append(number)
        default: return nil
        }
      }
      numbers.append(list)
    }
    return ValueClasses(numbers: numbers, count: known.count + 1)
  }

  /// From 1; nil for a string that can be equal to one of other bytes.
  private static func number(
    of bytes: UnsafeRawBufferPointer, in known: ByteDictionary
  ) -> UInt32? {
    // Below U+0300 no two strings are canonically equivalent.
    if bytes.contains(where: { $0 >= 0xCC }) { return nil }
    return known.code(for: bytes) + 1
  }
}
