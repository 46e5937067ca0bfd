/// The names that may be bound where a line of a script begins, as far as they are known before the
/// script runs.
struct NameScope {
  /// The names of the session when the script begins.
  private let session: Bindings
  /// The names that lines bind, without those that are unbound again.
  private var kinds: [String: BoundKind] = [:]
  /// The names in ``kinds`` and earlier ones, in the order in which they were bound.
  private var order: [String] = []
  private var unbound: Set<String> = []
  /// Whether any name may be bound, so that none is a mistake.
  private(set) var isOpen = false

  init(_ session: Bindings) { self.session = session }

  /// The kind of thing that a name may be bound to; nil for a name that is not bound.
  subscript(name: String) -> BoundKind? {
    if let kind = kinds[name] { return kind }
    if name == "_" || name == "args" { return .any }
    return unbound.contains(name) ? nil : session[name]?.kind
  }

  /// The names that a use of a name may mean, for suggestions.
  /// - Complexity: O(names).
  func names(for use: UnknownName.Use) -> [String] {
    let known = session.all.map(\.name) + order.filter { kinds[$0] != nil }
    return known.filter { name in self[name].map(use.accepts) ?? false }
  }

  mutating func bind(_ name: String, to kind: BoundKind) {
    if kinds[name] == nil { order.append(name) }
    kinds[name] = kind
    unbound.remove(name)
  }

  mutating func unbind(_ name: String) {
    kinds[name] = nil
    unbound.insert(name)
  }

  mutating func open() { isOpen = true }

  /// Adds the names of another way to the same line.
  mutating func formUnion(_ other: NameScope) {
    for name in other.order where kinds[name] == nil {
      if let kind = other.kinds[name] { bind(name, to: kind) }
    }
    unbound.formIntersection(other.unbound)
    isOpen = isOpen || other.isOpen
  }
}
