/// The names that a command binds without `let`, or unbinds, as far as they are known before it runs.
package struct NameChanges: Sendable {
  /// The names that it may bind.
  var bound: [String] = []
  /// The kind of thing that the names are bound to.
  var kind = BoundKind.any
  /// The names that it unbinds.
  var unbound: [String] = []
  /// Whether it may bind any name.
  var bindsAny = false

  package static let none = NameChanges()
  package static let any = NameChanges(bindsAny: true)
}

/// The kind of thing that a name is bound to, as far as it is known before a script runs.
package enum BoundKind: Sendable {
  case source, database, value
  /// One of these.
  case any
}
