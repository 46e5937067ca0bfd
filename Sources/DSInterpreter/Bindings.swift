import DataSources

/// What is bound to names, in the order in which it was bound, and where each name and source
/// stands.
struct Bindings {
  private(set) var all: [Session.Binding] = []
  private var positions: [String: Int] = [:]
  /// Ascending; the first names a source that several names stand for.
  private var sources: [ObjectIdentifier: [Int]] = [:]

  /// - Complexity: O(1), to bind anew as well; O(names) to remove one.
  subscript(name: String) -> Operand? {
    get { positions[name].map { all[$0].value } }
    set {
      guard let value = newValue else {
        remove(name)
        return
      }
      if let position = positions[name] {
        // A source is bound while its pipe runs, and again when that is done.
        if case .source(let source) = value, case .source(let bound) = all[position].value,
          source === bound
        {
          return
        }
        forget(all[position].value, at: position)
        all[position].value = value
        keep(value, at: position)
      } else {
        positions[name] = all.count
        keep(value, at: all.count)
        all.append(Session.Binding(name: name, value: value))
      }
    }
  }

  /// The first name of a source.
  func name(of source: any DataSource) -> String? {
    sources[ObjectIdentifier(source)]?.first.map { all[$0].name }
  }

  /// Gives a binding another name, which nothing has, at its place.
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
      keep(binding.value, at: position)
    }
  }

  private mutating func keep(_ value: Operand, at position: Int) {
    guard case .source(let source) = value else { return }
    var places = sources[ObjectIdentifier(source)] ?? []
    places.insert(position, at: places.firstIndex { $0 > position } ?? places.count)
    sources[ObjectIdentifier(source)] = places
  }

  private mutating func forget(_ value: Operand, at position: Int) {
    guard case .source(let source) = value else { return }
    sources[ObjectIdentifier(source)]?.removeAll { $0 == position }
  }
}
