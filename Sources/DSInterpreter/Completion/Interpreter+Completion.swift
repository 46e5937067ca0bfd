import DataSources
import DataTables

extension Interpreter {
  /// What can stand at `offset` (in UTF-8 bytes) of the line that is being typed.
  ///
  /// Nothing is run or read for it, but for the names in one folder when a path is typed.
  public func completions(for line: String, at offset: Int) -> Completions {
    guard
      let context = CompletionContext(line: line, offset: offset, commands: session.commands)
    else { return Completions(start: offset, candidates: []) }
    let words = session.words(for: context)
    let candidates = words.filter { $0.hasPrefix(context.prefix) && $0 != context.prefix }
    return Completions(start: context.start, candidates: candidates)
  }
}

extension Session {
  /// The words that can stand in a context, whatever is typed of them already.
  fileprivate func words(for context: CompletionContext) -> [String] {
    let frame = context.frame
    let names = bindings.map(\.name)
    if context.prefix.contains("."), frame.label == nil, let words = properties(context.prefix) {
      return words
    }
    guard !frame.isAtHead, let verb = frame.verb, let command = commands[verb] else {
      return frame.isAtHead ? commands.names + ["let"] + names : names
    }
    if let name = frame.label, let label = command.allLabels.first(where: { $0.name == name }) {
      let labels = context.prefix.isEmpty ? [] : self.labels(of: command)
      switch label.completion {
      case .keys: return keys(frame, prefix: context.prefix) + labels
      case .words(let words): return words + labels
      case .nothing: return labels
      }
    }
    switch verb {
    case LoadCommand.name, SourceCommand.name:
      return frame.words.isEmpty ? paths(context.prefix) : labels(of: command)
    case SetCommand.name:
      guard case .source(let source)? = frame.words.first.flatMap({ self.names[$0] }) else {
        return names
      }
      return SettingsTable.labels(of: source).map { "\($0.name):" }
    case CassetteCommand.name:
      return frame.words.isEmpty ? paths(context.prefix) + ["off"] : labels(of: command)
    case StubCommand.name:
      switch frame.words.count {
      case 0: return transports.stubs.map(\.shownURL) + ["off"]
      case 1: return paths(context.prefix) + ["off"]
      default: return labels(of: command)
      }
    case HelpCommand.name: return HelpCommand.subjects(commands)
    case ModeCommand.name: return options.styles
    case TimerCommand.name: return ["on", "off"]
    default: return names + (frame.words.isEmpty ? [] : labels(of: command))
    }
  }

  private func labels(of command: any Command.Type) -> [String] {
    command.allLabels.map { "\($0.name):" }
  }

  /// `letters.numberOfSections`; nil when no source stands before the dot.
  private func properties(_ prefix: String) -> [String]? {
    let name = String(prefix.prefix { $0 != "." })
    guard case .source? = self.names[name] else { return nil }
    return SourceProperty.all.map { "\(name).\($0.name)" }
  }

  /// The keys of the source that the command is about, and after a dot the derived ones.
  private func keys(_ frame: CompletionContext.Frame, prefix: String) -> [String] {
    let sources = frame.words.compactMap { word -> (any DataSource)? in
      guard case .source(let source)? = self.names[word] else {
        return nil
      }
      return source
    }
    guard let source = sources.first ?? lastSource else { return [] }
    if let dot = prefix.lastIndex(of: ".") {
      return DerivedKey.all.map { prefix[...dot] + $0.name }
    }
    let directions = SortDescriptor.Direction.allCases.map(\.rawValue)
    return Self.keys(of: source).map { ObjectKeyPath(key: $0).description }
      + (frame.label == "sort" ? directions : [])
  }

  /// Its own, or those of the first source below that has some.
  private static func keys(of source: any DataSource) -> [String] {
    var next: (any DataSource)? = source
    while let source = next {
      if let keys = source.state.snapshot?.keys, !keys.isEmpty { return keys }
      next = source.children.first
    }
    return []
  }

  private func paths(_ prefix: String) -> [String] {
    let folder = FilePath.folder(of: prefix)
    let lead = folder.isEmpty ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let isHidden = FilePath.name(of: prefix).hasPrefix(".") && !prefix.hasSuffix("/")
    return Folder.names(in: FilePath.resolve(folder, in: options.folder))
      .filter { isHidden || !$0.hasPrefix(".") }
      .map { lead + $0 }
      .filter { $0.allSatisfy { !$0.isWhitespace && !"[]{}(),|;\"'".contains($0) } }
  }
}
