/// The values that the rows of a column share, indexed by code.
///
/// A large number of strings is stored as bytes. Each access to such a string makes a `Value`.
public struct DistinctValues: RandomAccessCollection, Sendable {
  enum Storage: Sendable {
    case values([Value])
    /// Strings and nulls.
    case texts(TextHeap)
  }
  let storage: Storage

  public init(_ values: [Value]) { storage = .values(values) }
  init(_ texts: TextHeap) { storage = .texts(texts) }

  public var startIndex: Int { 0 }

  public var endIndex: Int {
    switch storage {
    case .values(let values): values.count
    case .texts(let texts): texts.count
    }
  }

  public subscript(code: Int) -> Value {
    switch storage {
    case .values(let values): values[code]
    case .texts(let texts): texts.value(code)
    }
  }

  /// Whether the values are stored as texts, so that all of them are strings or null.
  var areStrings: Bool { if case .texts = storage { true } else { false } }

  /// For every code, whether its value equals `value`.
  func matching(_ value: Value) -> [Bool] {
    switch (storage, value) {
    case (.values(let values), _): return values.map { $0 == value }
    case (.texts(let texts), .string(var string)):
      return string.withUTF8 { texts.matching(UnsafeRawBufferPointer($0)) }
    case (.texts, .null): return nulls()
    case (.texts(let texts), _): return [Bool](repeating: false, count: texts.count)
    }
  }

  /// For every code, whether its value is null.
  func nulls() -> [Bool] {
    switch storage {
    case .values(let values): return values.map(\.isNull)
    case .texts(let texts):
      var nulls = [Bool](repeating: false, count: texts.count)
      for code in texts.nulls() { nulls[Int(code)] = true }
      return nulls
    }
  }
}

extension DistinctValues: ExpressibleByArrayLiteral {
  public init(arrayLiteral values: Value...) { self.init(values) }
}
