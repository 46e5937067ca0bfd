import DataSources

/// The bound names with their values, in the order in which they were bound, and the names of each
/// source.
struct Bindings {
  private(set) var all: [Session.Binding] = []
  private var positions: [String: Int] = [:]
  /// For each source, the positions of its names, ascending.
  private var sources: [ObjectIdentifier: [Int]] = [:]

  /// - Complexity: O(1), also to bind again; O(names) to remove.
  subscript(name: String) -> Operand? {
    get { positions[name].map { all[$0].value } }
    set {
      guard let value = newValue else {
        remove(name)
        return
      }
      if let position = positions[name] {
        // A source is bound while its pipe runs, and again when the pipe is done.
        if case .source(let source) = value, case .source(let bound) = all[position].value,
          source === bound
        {
          return
        }
        removeSource(of: all[position].value, at: position)
        all[position].value = value
        addSource(of: value, at: position)
      } else {
        positions[name] = all.count
        addSource(of: value, at: all.count)
        all.append(Session.Binding(name: name, value: value))
      }
    }
  }

  /// The first name of a source.
  func name(of source: any DataSource) -> String? {
    sources[ObjectIdentifier(source)]?.first.map { all[$0].name }
  }

  /// Renames a binding, which keeps its position. The new name must not be bound.
  mutating func rename(_ old: String, to new: String) {
    guard let position = positions.removeValue(forKey: old) else { return }
    positions[new] = position
    all[position] = Session.Binding(name: new, value: all[position].value)
  }

  private mutating func remove(_ name: String) {
    guard let removed = positions[name] else { return }
    all.remove(at: removed)
    positions = [:]
    sources = [:]
    for (position, binding) in all.enumerated() {
      positions[binding.name] = position
      addSource(of: binding.value, at: position)
    }
  }

  private mutating func addSource(of value: Operand, at position: Int) {
    guard case .source(let source) = value else { return }
    var positions = sources[ObjectIdentifier(source)] ?? []
    positions.insert(position, at: positions.firstIndex { $0 > position } ?? positions.count)
    sources[ObjectIdentifier(source)] = positions
  }

  private mutating func removeSource(of value: Operand, at position: Int) {
    guard case .source(let source) = value else { return }
    sources[ObjectIdentifier(source)]?.removeAll { $0 == position }
  }
}
