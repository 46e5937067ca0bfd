/// A verb that a script defines with `def`, as it is typed: its name and its parameters.
package struct Signature: Sendable {
  package let name: String
  let parameters: [String]
  /// The labels with the values that they have when they are not given, as written.
  let labels: [(name: String, value: String)]
  /// Where the verb is defined.
  let place: SourcePlace

  /// `byKey X key [limit: 5]`
  package var synopsis: String {
    ([name] + parameters + labels.map { "[\($0.name): \($0.value)]" }).joined(separator: " ")
  }
}

/// The lines that a call of a verb runs.
package protocol VerbDefinition: AnyObject, Sendable {
  var signature: Signature { get }
}
