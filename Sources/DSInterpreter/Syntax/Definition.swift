/// A verb that a script defines with `def`, as it is typed: its name and its parameters.
package struct Signature: Sendable {
  package let name: String
  let parameters: [String]
  /// The labels with the values that they have when they are not given.
  let labels: [(name: String, value: Atom)]
  /// Where the verb is defined.
  let place: SourcePlace

  /// `byKey X key [limit: 5]`
  package var synopsis: String {
    ([name] + parameters + labels.map { "[\($0.name): \($0.value.span.text)]" })
      .joined(separator: " ")
  }
}

/// A verb that a script defines, with the lines that a call runs.
package final class Definition: Sendable {
  package let signature: Signature
  let lines: [Line]

  init(_ signature: Signature, lines: [Line]) {
    self.signature = signature
    self.lines = lines
  }
}
