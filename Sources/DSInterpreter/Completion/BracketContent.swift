import DataTables

/// The elements that the innermost bracket at the cursor contains.
enum BracketContent {
  /// A section and a row of a source, by its name; of the subject of the command, if it is nil.
  case indexPath(of: String?)
  /// The same, or index paths in brackets of their own.
  case indexPaths
  case section
  /// Elements of a type.
  case elements(ArgumentType)
  /// Keys with values; of a type, or the values that objects have.
  case keys(ArgumentType?)
  /// Values that objects have at a key path as it is typed.
  case values(of: String?)
  /// Operands of an expression.
  case operands
  case nothing

  init(of context: CompletionContext, in commands: CommandTable) {
    self.init(context.frames[...], commands)
  }

  private init(_ frames: ArraySlice<CompletionFrame>, _ commands: CommandTable) {
    guard let frame = frames.last, let outer = frames.dropLast().last else {
      self = .nothing
      return
    }
    switch frame.opening {
    case .index(let owner): self = owner.map { .indexPath(of: $0) } ?? .nothing
    case .list, .record:
      let isRecord = frame.opening == .record
      if outer.isExpression {
        self = Self(inExpression: outer, isRecord: isRecord)
      } else if outer.isCommand {
        self = Self(of: outer.valueType(in: commands), isRecord, of: outer)
      } else {
        switch Self(frames.dropLast(), commands) {
        case .elements(let type): self = Self(of: type, isRecord, of: outer)
        case .indexPaths where !isRecord: self = .indexPath(of: nil)
        default: self = .nothing
        }
      }
    case .line, .block, .parenthesis, .call, .insertion, .options: self = .nothing
    }
  }

  private init(inExpression outer: CompletionFrame, isRecord: Bool) {
    if outer.readsKeys, outer.expression.comparison != nil {
      self = .values(of: outer.expression.left)
    } else {
      self = isRecord ? .nothing : .operands
    }
  }

  private init(of type: ArgumentType?, _ isRecord: Bool, of outer: CompletionFrame) {
    switch (type, isRecord) {
    case (.indexPath?, false), (.place?, false), (.position?, false): self = .indexPath(of: nil)
    case (.places?, false): self = .indexPaths
    case (.section?, false): self = .section
    case (.list(let element)?, false): self = .elements(element)
    case (.objects?, false), (.value?, false): self = .elements(.value)
    case (.sortDescriptors?, false) where outer.group.last == SortList.word:
      self = .values(of: outer.group.first)
    case (.record(let element)?, true):
      if case .value = element { self = .keys(nil) } else { self = .keys(element) }
    case (.value?, true), (.objects?, true): self = .keys(nil)
    case (.either(let types)?, _):
      let contents = types.map { Self(of: $0, isRecord, of: outer) }
      self = contents.first { if case .nothing = $0 { false } else { true } } ?? .nothing
    default: self = .nothing
    }
  }
}

extension CompletionFrame {
  /// The type of the argument, or of the value of a label, that is being typed.
  fileprivate func valueType(in commands: CommandTable) -> ArgumentType? {
    guard let command = verb.flatMap({ commands[$0] }) else { return nil }
    guard let label else { return command.parameter(at: numberOfArguments, after: words)?.type }
    return labels(in: commands).first { $0.name == label }?.type
  }
}
