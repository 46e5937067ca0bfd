import CodeWriting
import DataSources
import DataTables

/// The expectations of a session about the sources of a chain.
struct SessionExpectations {
  let chain: SourceChain
  /// The position of each source in the chain.
  let places: [ObjectIdentifier: Int]

  /// The expectations that hold now, in the order in which they were typed, each once.
  func all(in session: inout Session) async -> [ChainExpectation] {
    var all: [ChainExpectation] = []
    var seen: Set<String> = []
    for line in session.execution.log.checks {
      guard let check = line.check, concernsChain(check, line, in: session),
        seen.insert(line.span.text).inserted
      else { continue }
      all.append(await expectation(check, line, in: &session))
    }
    return all
  }

  /// Whether the line names a source of the chain.
  private func concernsChain(_ check: Check, _ line: Line, in session: Session) -> Bool {
    // Words of the condition are keys.
    if case .objects(let check) = check, case .word(let name) = check.source.kind {
      return place(named: name, in: session) != nil
    }
    return MentionedNames.names(in: line.span.text).contains {
      place(named: $0, in: session) != nil
    }
  }

  private func place(named name: String, in session: Session) -> Int? {
    guard case .source(let source)? = session.names[name] else { return nil }
    return places[ObjectIdentifier(source)]
  }

  private func expectation(
    _ check: Check, _ line: Line, in session: inout Session
  ) async -> ChainExpectation {
    let text = line.span.text.split(whereSeparator: \.isNewline).map { part in
      // A backslash continues a line.
      part.hasSuffix(" \\") ? part.dropLast(2) : part
    }.joined(separator: " ")
    func inexpressible(_ reason: String) -> ChainExpectation {
      ChainExpectation(text: text, source: nil, content: .inexpressible(reason))
    }
    do {
      guard let (source, content) = try await content(of: check, in: &session) else {
        return inexpressible("it has another form than code can check")
      }
      if chain.sources[source].isOutdated {
        return inexpressible("\(chain.sources[source].name) shows the content of an earlier fetch")
      }
      let isTrue: Bool
      do {
        var arguments = try Arguments(line.stages[0], piped: nil)
        try await ExpectationCheck(parsing: &arguments).check(in: &session)
        isTrue = true
      } catch {
        isTrue = false
      }
      guard isTrue else { return inexpressible("it no longer holds") }
      return ChainExpectation(text: text, source: source, content: content)
    } catch {
      return inexpressible("its values cannot be read any more")
    }
  }

  private func content(
    of check: Check, in session: inout Session
  ) async throws -> (source: Int, content: ChainExpectation.Content)? {
    switch check {
    case .holds(let expression):
      guard case .comparison(let comparison) = expression.kind else { return nil }
      return try await content(of: comparison, in: &session)
    case .objects(let check):
      guard check.place == nil, case .word(let name) = check.source.kind,
        let place = place(named: name, in: session), case .source(let source)? = session.names[name]
      else { return nil }
      switch check.condition {
      case .predicate(let expression, let isNegated):
        guard
          let predicate = try await PredicateArgument(expression)
            .predicate(over: source, in: &session)
        else { return nil }
        return (place, .all(predicate, isNegated: isNegated))
      case .unique(let atom):
        let key = try await Argument(atom, type: .keyPath(.everyRow)).keyPath(in: &session)
        return (place, .unique(key.path))
      case .sorted(let value, let nulls):
        let descriptors = try await SortArguments(value, nulls: nulls).descriptors(
          changing: [], over: source, in: &session)
        return (place, .sorted(descriptors))
      }
    case .throws(let kind, let rest):
      guard kind == .outOfRange else { return nil }
      let lines = Parser.parse(rest, commands: session.commands).lines
      guard lines.count == 1, let stage = lines[0].stages.first, lines[0].stages.count == 1,
        stage.command == ObjectCommand.self, stage.atoms.count == 2, stage.labels.isEmpty,
        case .word(let name) = stage.atoms[0].kind, let place = place(named: name, in: session),
        let path = Self.indexPath(
          try await Argument(stage.atoms[1], type: .value).value(in: &session))
      else { return nil }
      return (place, .outOfRange(path))
    }
  }

  private func content(
    of comparison: Comparison, in session: inout Session
  ) async throws -> (source: Int, content: ChainExpectation.Content)? {
    guard comparison.operator.quantifier == nil,
      let (source, measure) = try await measure(comparison.left, in: &session),
      try await self.measure(comparison.right, in: &session) == nil
    else { return nil }
    let value = try await session.value(of: comparison.right)
    return (source, .comparison(measure, comparison.operator, value))
  }

  /// The part of a source that an expression reads; nil for another expression.
  private func measure(
    _ expression: Expression, in session: inout Session
  ) async throws -> (source: Int, measure: ChainExpectation.Measure)? {
    switch expression.kind {
    case .path(let base, let steps):
      guard case .name(let name) = base.kind, let place = place(named: name, in: session) else {
        return nil
      }
      return Self.measure(steps).map { (place, $0) }
    case .command(let pipe):
      guard pipe.head == nil, pipe.stages.count == 1, let stage = pipe.stages.first,
        stage.labels.isEmpty, case .word(let name)? = stage.atoms.first?.kind,
        let place = place(named: name, in: session)
      else { return nil }
      var values: [Value] = []
      for atom in stage.atoms.dropFirst() {
        values.append(try await Argument(atom, type: .value).value(in: &session))
      }
      return Self.measure(stage.command.names[0], values).map { (place, $0) }
    default: return nil
    }
  }

  private static func measure(_ steps: [PathStep]) -> ChainExpectation.Measure? {
    guard let first = steps.first else { return nil }
    switch first.kind {
    case .key("numberOfSections") where steps.count == 1: return .numberOfSections
    case .key("numberOfObjects") where steps.count == 1: return .numberOfObjects
    case .key("sectionIndexTitles") where steps.count == 1: return .indexTitles
    case .key("sectionTitles"):
      if steps.count == 1 { return .sectionTitles }
      guard steps.count == 2, case .index(let indexes) = steps[1].kind, indexes.count == 1,
        indexes[0] >= 0
      else { return nil }
      return .title(section: indexes[0])
    case .index(let indexes) where indexes.count == 2 && indexes.allSatisfy { $0 >= 0 }:
      let path = IndexPath(section: indexes[0], row: indexes[1])
      if steps.count == 1 { return .object(path) }
      var keys: [ObjectKeyPath.Step] = []
      for step in steps.dropFirst() {
        switch step.kind {
        case .key(let key): keys.append(ObjectKeyPath.Step(word: key))
        case .index(let indexes) where indexes.count == 1: keys.append(.index(indexes[0]))
        default: return nil
        }
      }
      return .value(path, ObjectKeyPath(keys))
    default: return nil
    }
  }

  private static func measure(_ verb: String, _ values: [Value]) -> ChainExpectation.Measure? {
    switch (verb, values.count) {
    case (CountCommand.names[0], 0): .numberOfObjects
    case (CountCommand.names[0], 1): section(values[0]).map { .numberOfObjectsIn(section: $0) }
    case (TitlesCommand.names[0], 0): .sectionTitles
    case (IndexTitlesCommand.names[0], 0): .indexTitles
    case (ObjectCommand.names[0], 1): indexPath(values[0]).map { .object($0) }
    case (IndexPathCommand.names[0], 1): .indexPath(values[0])
    default: nil
    }
  }

  private static func section(_ value: Value) -> Int? {
    switch value {
    case .integer(let section): section
    case .array(let numbers):
      if numbers.count == 1, case .integer(let section) = numbers[0] { section } else { nil }
    default: nil
    }
  }

  private static func indexPath(_ value: Value) -> IndexPath? {
    guard case .array(let numbers) = value, numbers.count == 2,
      case .integer(let section) = numbers[0], case .integer(let row) = numbers[1]
    else { return nil }
    return IndexPath(section: section, row: row)
  }
}

extension Line {
  /// The check of an `expect` or `require`.
  fileprivate var check: Check? {
    guard case .pipe(let pipe) = kind else { return nil }
    return pipe.stages.first?.check
  }
}
