package import DataSources
import DataTables

extension Session {
  /// What `name` stands for.
  /// - Throws: ``Diagnostic`` of kind `unknownName` with a near name.
  func operand(named name: String, at span: Span) throws -> Operand {
    if let binding = bindings.first(where: { $0.name == name }) { return binding.value }
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
    if let index = bindings.firstIndex(where: { $0.name == name }) {
      bindings[index].value = operand
    } else {
      bindings.append(Binding(name: name, value: operand))
    }
    if case .source(let source) = operand { lastSource = source }
  }

  mutating func unbind(_ name: String) {
    if case .source(let source)? = bindings.first(where: { $0.name == name })?.value,
      source === lastSource
    {
      lastSource = nil
    }
    bindings.removeAll { $0.name == name }
  }

  /// The name of a source for people: what it is bound to, else its own name, else what it is.
  package func displayName(of source: any DataSource) -> String {
    if let name = boundName(of: source) { return name }
    if !source.state.name.isEmpty { return source.state.name }
    if let path = (source as? SimpleSource)?.path { return FilePath.name(of: path) }
    return "(\(type(of: source).kind))"
  }

  /// The name that a source is bound to, or is about to be.
  func boundName(of source: any DataSource) -> String? {
    let binding = bindings.first {
      if case .source(let bound) = $0.value { bound === source } else { false }
    }
    return binding?.name
  }
}
