import DataSources

/// The bound names with their values, in the order in which they were bound, and the names of each
/// source.
struct Bindings {
  private(set) var all: [Session.Binding] = []
  private var positions: [String: Int] = [:]
  /// For each source, the positions of its names, ascending.
  private var sources: [ObjectIdentifier: [Int]] = [:]
  /// The names of the running blocks, outermost first.
  private var frames: [Frame] = []

  /// The names that are visible in one block only.
  private struct Frame {
    /// Whether the frame is a call, in which the names of the blocks around the call are hidden.
    let isCall: Bool
    var values: [String: Operand]
  }

  /// - Complexity: O(1) outside of blocks, also to bind again; O(names) to remove.
  subscript(name: String) -> Operand? {
    get {
      if let index = frame(of: name) { return frames[index].values[name] }
      return positions[name].map { all[$0].value }
    }
    set {
      if let index = newValue == nil ? frame(of: name) : frameToBind(name) {
        frames[index].values[name] = newValue
        return
      }
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

  /// The first name of a source, rather one of the session than one of a block.
  func name(of source: any DataSource) -> String? {
    if let position = sources[ObjectIdentifier(source)]?.first { return all[position].name }
    for index in visibleFrames.reversed() {
      let names = frames[index].values.filter { _, value in
        if case .source(let bound) = value { bound === source } else { false }
      }
      if let name = names.keys.min() { return name }
    }
    return nil
  }

  /// Renames a binding, which keeps its position. The new name must not be bound.
  mutating func rename(_ old: String, to new: String) {
    if let index = frame(of: old) {
      frames[index].values[new] = frames[index].values.removeValue(forKey: old)
      return
    }
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

// The names of blocks.
extension Bindings {
  /// Runs a block with names of its own.
  ///
  /// - Parameter isCall: whether the names of the blocks around the call are hidden, and names that
  ///   the block binds are its own.
  mutating func enterBlock(_ values: [String: Operand], isCall: Bool) {
    frames.append(Frame(isCall: isCall, values: values))
  }

  /// Whether the lines of a call run, whose names are their own.
  var isInCall: Bool { frames.contains(where: \.isCall) }

  /// Binds a name of the innermost block.
  mutating func bindInBlock(_ name: String, to value: Operand) {
    frames[frames.count - 1].values[name] = value
  }

  mutating func leaveBlock() { frames.removeLast() }

  /// The frames of the innermost call, or all frames outside of calls.
  private var visibleFrames: Range<Int> {
    (frames.lastIndex { $0.isCall } ?? 0)..<frames.count
  }

  /// The innermost visible frame that has a name; nil for a name of the session.
  private func frame(of name: String) -> Int? {
    visibleFrames.last { frames[$0].values[name] != nil }
  }

  /// The frame in which `let` binds a name; nil for a name of the session.
  private func frameToBind(_ name: String) -> Int? {
    if frames.isEmpty { return nil }
    let frames = visibleFrames
    return frame(of: name) ?? frames.first { self.frames[$0].isCall }
  }
}
