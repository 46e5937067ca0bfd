/// Numbers for the values of several lists, the same for equal values.
struct ValueClasses {
  /// One a value.
  let numbers: [[UInt32]]
  let count: Int

  /// - Complexity: O(values) expected.
  init(_ lists: [[Value]]) {
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
  private static func textNumbers(_ lists: [[Value]]) -> ValueClasses? {
    let known = ByteDictionary()
    var numbers: [[UInt32]] = []
    for values in lists {
      var list: [UInt32] = []
      list.reserveCapacity(values.count)
      for value in values {
        switch value {
        case .null: list.append(0)
        case .string(var text):
          let number = text.withUTF8 { bytes -> UInt32? in
            // Below U+0300 no two strings are canonically equivalent.
            if bytes.contains(where: { $0 >= 0xCC }) { return nil }
            return known.code(for: UnsafeRawBufferPointer(bytes)) + 1
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
}
