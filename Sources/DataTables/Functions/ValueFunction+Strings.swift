// Functions of strings and lists of any values.
extension ValueFunction {
  static let stringFunctions: [ValueFunction] = [
    string("uppercase:", "the string in upper case") { .string($0.uppercased()) },
    string("lowercase:", "the string in lower case") { .string($0.lowercased()) },
    ValueFunction(
      name: "length:", summary: "the number of characters of a string", arity: .exactly(1),
      body: .values { values throws(ComputationError) in
        guard case .string(let text) = values[0] else { throw .notString(values[0]) }
        return .integer(text.count)
      }),
    string("canonical:", "the string without case and accents") { .string(folded($0)) },
    ValueFunction(
      name: "objectFrom:withIndex:", summary: "the element of a at the index b", arity: .exactly(2),
      body: .values { values throws(ComputationError) in
        guard case .array = values[0] else { throw .notList(values[0]) }
        return ObjectKeyPath.apply(.index(try integer(values[1])), to: values[0])
      }),
    ValueFunction(
      name: "noindex:", summary: "the value itself; an engine may ignore its index",
      arity: .exactly(1), body: .values { $0[0] }),
  ]

  private static func string(
    _ name: String, _ summary: String, _ function: @escaping @Sendable (String) -> Value
  ) -> ValueFunction {
    ValueFunction(
      name: name, summary: summary, arity: .exactly(1),
      body: .values { values throws(ComputationError) in
        guard case .string(let text) = values[0] else { throw .notString(values[0]) }
        return function(text)
      })
  }
}
