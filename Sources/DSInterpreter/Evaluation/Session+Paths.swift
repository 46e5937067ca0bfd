import DataSources
import DataTables

extension Session {
  /// What stands at the end of a path: a property, an object or what is inside of one.
  mutating func follow(_ steps: [PathStep], from base: Expression) async throws -> Operand {
    var operand = try await evaluate(base)
    var rest = steps[...]
    if case .source(let source) = operand, let step = rest.first {
      lastSource = source
      do {
        operand = try await follow(step, of: source)
      } catch {
        throw diagnostic(of: error, of: source, at: base.span)
      }
      rest = rest.dropFirst()
      try check(rest.first, isKeyOf: source, after: step)
    }
    guard !rest.isEmpty else { return operand }
    let value = try await value(of: operand, at: base.span)
    return .value(ObjectKeyPath(try rest.flatMap { try $0.keySteps() }).evaluate(on: value))
  }

  private func follow(_ step: PathStep, of source: any DataSource) async throws -> Operand {
    switch step.kind {
    case .key(let name):
      guard let property = SourceProperty.all.first(where: { $0.name == name }) else {
        throw Diagnostic(
          .unknownKey, "\(displayName(of: source)) has no property `\(name)`",
          suggestion: Suggestion.nearest(to: name, among: SourceProperty.all.map(\.name)),
          at: step.span)
      }
      return .value(try await property.read(source, self))
    case .index(let numbers):
      let section = numbers[0]
      let snapshot = try content(of: source, at: step.span)
      try check(section: section, of: source, snapshot, at: step.span)
      guard numbers.count > 1 else {
        return .objects(
          ObjectListing(snapshot: snapshot, sections: section..<section + 1, showsPlaces: false))
      }
      let path = IndexPath(section: section, row: numbers[1])
      return .value(try await object(at: path, of: source, rowAt: step.span))
    }
  }

  /// A key that some objects have is null in the others; one that none has is a mistake.
  private func check(
    _ step: PathStep?, isKeyOf source: any DataSource, after first: PathStep
  ) throws {
    guard let step, case .key(let key) = step.kind, first.givesObjects,
      let snapshot = source.state.snapshot, CollectionOperator(rawValue: key) == nil
    else { return }
    try check(Word(text: key, span: step.span), isKeyOf: source, snapshot)
  }
}

extension PathStep {
  /// Whether what it gives of a source are objects, and not what is known of it.
  fileprivate var givesObjects: Bool {
    switch kind {
    case .index: true
    case .key(let name): name == "allObjects"
    }
  }

  func keySteps() throws -> [ObjectKeyPath.Step] {
    switch kind {
    case .key(let key):
      let isQuoted = span.text.hasPrefix("\"") || span.text.hasPrefix("'")
      return [isQuoted ? .key(key) : ObjectKeyPath.Step(word: key)]
    case .index(let numbers):
      guard numbers.allSatisfy({ $0 >= 0 }) else {
        throw Diagnostic(.outOfRange, "indexes count from 0", at: span)
      }
      return numbers.map { .index($0) }
    }
  }
}
