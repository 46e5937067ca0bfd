package import DataSources
import DataTables
import Databases

// The names of sources and values.
extension Session {
  /// The operand that a name is bound to.
  /// - Throws: ``Diagnostic`` of kind `unknownName` with a similar name.
  func operand(
    named name: String, use: UnknownName.Use = .bound, at span: Span
  ) throws -> Operand {
    if let operand = names[name] { return operand }
    switch name {
    case "_":
      if case .none = last {
        throw Diagnostic(.unknownName, "`_` has no result yet", at: span)
      }
      return last
    case "args": return .value(.array(options.arguments.map(Value.string)))
    default: throw unknownName(name, use: use, at: span)
    }
  }

  /// The error of a name that is not bound, with a similar name of the kind that its use expects.
  func unknownName(
    _ name: String, use: UnknownName.Use = .bound, at span: Span
  ) -> Diagnostic {
    let known = bindings.filter { use.accepts($0.value.kind) }.map(\.name)
    return UnknownName(name: name, use: use, span: span).error(known: known, commands: commands)
  }

  package mutating func bind(_ name: String, to operand: Operand) {
    let replaced = names[name]
    names[name] = operand
    execution.boundNames.insert(name)
    if case .source(let source) = operand { lastSource = source }
    if case .source(let source)? = replaced { stopWatchingIfUnnamed(source) }
  }

  /// `unwatch` cannot name a source that has lost its last name, although wrappers may keep it.
  private mutating func stopWatchingIfUnnamed(_ source: any DataSource) {
    if source.state.isWatched, boundName(of: source) == nil { unwatch(source) }
  }

  mutating func unbind(_ name: String) {
    guard case .source(let source)? = names[name] else {
      names[name] = nil
      return
    }
    if source === lastSource { lastSource = nil }
    names[name] = nil
    stopWatchingIfUnnamed(source)
  }

  /// The name of a source for people: the name it is bound to, else its own name, else the name of
  /// its file, else its kind.
  package func displayName(of source: any DataSource) -> String {
    if let name = boundName(of: source) { return name }
    if !source.state.name.isEmpty { return source.state.name }
    if let table = source as? TableSource, let name = name(of: table) { return name }
    if let path = (source as? SimpleSource)?.path { return path.lastPathComponent }
    return "(\(type(of: source).kind))"
  }

  /// The name that a source is about to be bound to, else ``displayName(of:)``.
  func nameToShow(of source: any DataSource) -> String {
    if boundName(of: source) == nil, let pendingName { return pendingName }
    return displayName(of: source)
  }

  /// The first name that a source is bound to.
  func boundName(of source: any DataSource) -> String? { names.name(of: source) }
}

extension Operand {
  var kind: BoundKind {
    switch self {
    case .source: .source
    case .database: .database
    case .none, .value, .objects: .value
    }
  }
}

// The sources that scripts can reach.
extension Session {
  /// The source of the last command.
  package var sourceInUse: (any DataSource)? { lastSource }

  /// A number that changes with every fetch or edit of a bound source or of the last result; 0
  /// before the first fetch or edit.
  package var fetchFingerprint: Int {
    var fingerprint = 0
    for index in names.all.indices {
      if case .source(let source) = names.all[index].value {
        fingerprint = Self.add(source, to: fingerprint)
      }
    }
    if case .source(let source) = last { fingerprint = Self.add(source, to: fingerprint) }
    return fingerprint
  }

  private static func add(_ source: any DataSource, to fingerprint: Int) -> Int {
    let rounds = source.state.endedRounds
    if rounds == 0 { return fingerprint }
    return (fingerprint &* 31 &+ Int(bitPattern: ObjectIdentifier(source))) &* 31 &+ rounds
  }

  /// The sources that are bound or are the last result, and all below them, each once.
  package var reachableSources: [any DataSource] {
    var sources: [any DataSource] = []
    var seen: Set<ObjectIdentifier> = []
    seen.reserveCapacity(bindings.count + 1)
    var waiting: [any DataSource] = []
    for binding in bindings {
      if case .source(let source) = binding.value { waiting.append(source) }
    }
    if case .source(let source) = last { waiting.append(source) }
    while let source = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(source)).inserted else { continue }
      sources.append(source)
      waiting += source.children
    }
    return sources
  }
}
