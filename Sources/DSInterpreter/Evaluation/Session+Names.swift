package import DataSources
import DataTables

extension Session {
  /// What `name` stands for.
  /// - Throws: ``Diagnostic`` of kind `unknownName` with a near name.
  func operand(named name: String, at span: Span) throws -> Operand {
    if let operand = names[name] { return operand }
    switch name {
    case "_":
      if case .none = last {
        throw Diagnostic(.unknownName, "`_` has no result yet", at: span)
      }
      return last
    case "args": return .value(.array(options.arguments.map(Value.string)))
    default: throw unknownName(name, "nothing is named", at: span)
    }
  }

  func unknownName(_ name: String, _ what: String, at span: Span) -> Diagnostic {
    Diagnostic(
      .unknownName, "\(what) `\(name)`",
      suggestion: Suggestion.nearest(to: name, among: bindings.map(\.name)), at: span)
  }

  mutating func bind(_ name: String, to operand: Operand) {
    names[name] = operand
    if case .source(let source) = operand { lastSource = source }
  }

  mutating func unbind(_ name: String) {
    if case .source(let source)? = names[name], source === lastSource { lastSource = nil }
    names[name] = nil
  }

  /// The name of a source for people: what it is bound to, else its own name, else what it is.
  package func displayName(of source: any DataSource) -> String {
    if let name = boundName(of: source) { return name }
    if !source.state.name.isEmpty { return source.state.name }
    if let path = (source as? SimpleSource)?.path { return FilePath.name(of: path) }
    return "(\(type(of: source).kind))"
  }

  /// The first name that a source is bound to.
  func boundName(of source: any DataSource) -> String? { names.name(of: source) }

  /// The source that the last command was about.
  package var sourceInUse: (any DataSource)? { lastSource }

  /// Another number whenever a source that names or `_` stand for was fetched or edited; 0 while none
  /// was.
  package var traceOfRounds: Int {
    var trace = 0
    for index in names.all.indices {
      if case .source(let source) = names.all[index].value { trace = Self.add(source, to: trace) }
    }
    if case .source(let source) = last { trace = Self.add(source, to: trace) }
    return trace
  }

  private static func add(_ source: any DataSource, to trace: Int) -> Int {
    let rounds = source.state.endedRounds
    if rounds == 0 { return trace }
    return (trace &* 31 &+ Int(bitPattern: ObjectIdentifier(source))) &* 31 &+ rounds
  }

  /// All sources that names and `_` stand for, and all below them, each once.
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
