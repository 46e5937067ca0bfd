/// A function of predicates and expressions, by its name in Cocoa: `sum:`, `raise:toPower:`.
///
/// A function of one argument can be written without its colon: `sum(prices)`.
public struct ValueFunction: Sendable {
  public let name: String
  /// One line for help: `the square root`.
  public let summary: String
  let arity: Arity
  let body: Body

  enum Arity: Sendable, Equatable {
    case exactly(Int)
    /// One list, or the values themselves.
    case list
  }

  enum Body: Sendable {
    /// The value for arguments that are not null; with a null among them, the result is null.
    case values(@Sendable ([Value]) throws(ComputationError) -> Value)
    /// The value for the elements of a list, nulls included.
    case elements(@Sendable ([Value]) throws(ComputationError) -> Value)
  }

  /// All functions, in the order of help.
  public static let all = listFunctions + numberFunctions + stringFunctions + conversions

  private static let byName = Dictionary(
    all.flatMap { function in function.spellings.map { ($0, function) } },
    uniquingKeysWith: { first, _ in first })

  public static func named(_ name: String) -> ValueFunction? { byName[name] }

  private var spellings: [String] { shortName == name ? [name] : [name, shortName] }

  /// The name as it is usually written: `sum`, `raise:toPower:`.
  public var shortName: String {
    let parts = name.split(separator: ":")
    return parts.count == 1 ? String(parts[0]) : name
  }

  /// `sum(…)`, `raise:toPower:(a, b)`, for messages and help.
  public var synopsis: String {
    switch arity {
    case .exactly(0): "\(shortName)()"
    case .exactly(1): "\(shortName)(a)"
    case .exactly(let count):
      "\(shortName)(" + ["a", "b", "c"].prefix(count).joined(separator: ", ") + ")"
    case .list: "\(shortName)(list)"
    }
  }

  public func accepts(_ count: Int) -> Bool {
    if case .exactly(let expected) = arity { count == expected } else { count > 0 }
  }

  /// The value of the function.
  ///
  /// - Parameter arguments: as many as the function ``accepts(_:)``.
  /// - Returns: null if an argument is null; functions of lists accept nulls as elements.
  public func apply(_ arguments: [Value]) throws(ComputationError) -> Value {
    guard accepts(arguments.count) else { return .null }
    switch body {
    case .values(let function):
      return arguments.contains(where: \.isNull) ? .null : try function(arguments)
    case .elements(let function):
      guard arguments.count == 1 else { return try function(arguments) }
      switch arguments[0] {
      case .null: return .null
      case .array(let elements): return try function(elements)
      case .record(let record) where record.count == 0: return try function([])
      case let value: return try function([value])
      }
    }
  }
}

extension ValueFunction {
  /// The function with a name that is known to exist, as written code has it.
  /// - Throws: ``TableError/badArgument(_:)`` for another name.
  public init(named name: String) throws(TableError) {
    guard let function = Self.named(name) else { throw .badArgument("unknown function `\(name)`") }
    self = function
  }
}

extension ValueFunction: Hashable {
  public static func == (left: ValueFunction, right: ValueFunction) -> Bool {
    left.name == right.name
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ValueFunction {
  /// The arithmetic operator that means the same as the function.
  public var arithmeticOperator: ArithmeticOperator? { Self.operators[name] }

  private static let operators: [String: ArithmeticOperator] = [
    "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
    "modulus:by:": .remainder,
  ]

  /// The function of an arithmetic operator.
  public init(_ operation: ArithmeticOperator) {
    let (name, summary) =
      switch operation {
      case .add: ("add:to:", "a + b")
      case .subtract: ("from:subtract:", "a - b")
      case .multiply: ("multiply:by:", "a * b")
      case .divide: ("divide:by:", "a / b")
      case .remainder: ("modulus:by:", "a % b")
      }
    self.init(
      name: name, summary: summary, arity: .exactly(2),
      body: .values { values throws(ComputationError) in
        try operation.apply(values[0], values[1])
      })
  }
}
