import DataTables

extension ScriptExecution {
  /// Bounds the look-ahead in scripts that load thousands of files.
  private static let maxLines = 256

  /// The keys that the remaining lines read of a source that is about to be bound to a name.
  /// Searches the running lines, and the later lines that use the source or a name that such a line
  /// binds.
  ///
  /// The keys are a guess from the text of the lines: a missing key is read when it is needed, and
  /// an unneeded key costs the time to read it.
  /// - Complexity: O(words of the lines).
  func anticipatedKeys(ofSourceNamed name: String) -> [String] {
    var names: Set = [name]
    var keys: [String] = []
    let lines = remainingLines.reversed().lazy.flatMap { lines in
      // The first remaining line of each script is running; in the innermost script, it creates
      // the source.
      lines.enumerated().lazy.map { (isFirst: $0.offset == 0, line: $0.element) }
    }
    for (isFirst, line) in lines.prefix(Self.maxLines) {
      let concernsSource = isFirst || line.pipe.mentions(names)
      if concernsSource { line.pipe.visitStages { keys += $0.namedKeys } }
      // Every line rebinds `_`, and may bind a name to another value.
      for name in line.boundNames {
        if concernsSource { names.insert(name) } else { names.remove(name) }
      }
    }
    var known: Set<String> = []
    return keys.filter { known.insert($0).inserted }
  }
}

extension Line {
  fileprivate var pipe: Pipe {
    switch kind {
    case .pipe(let pipe), .binding(_, let pipe): pipe
    }
  }

  /// The names by which later lines can refer to the result of the line.
  fileprivate var boundNames: [String] {
    if case .binding(let name, _) = kind { ["_", name.text] } else { ["_"] }
  }
}

extension Pipe {
  /// Visits all stages, including those in parentheses.
  fileprivate func visitStages(_ body: (Stage) -> Void) {
    for stage in stages {
      body(stage)
      for case .parenthesized(let pipe) in stage.words { pipe.visitStages(body) }
      for line in stage.blockLines { line.pipe.visitStages(body) }
    }
  }

  fileprivate func mentions(_ names: Set<String>) -> Bool {
    if let head, head.names.contains(where: { names.contains($0.text) }) { return true }
    return stages.contains { stage in
      if stage.blockLines.contains(where: { $0.pipe.mentions(names) }) { return true }
      return stage.words.contains {
        switch $0 {
        case .word(let word): names.contains(word)
        case .parenthesized(let pipe): pipe.mentions(names)
        default: false
        }
      }
    }
  }
}

extension Stage {
  /// All words of its arguments, including those in lists and records.
  fileprivate var words: [Atom.Kind] {
    var words: [Atom.Kind] = []
    var rest = atoms
    for label in labels {
      if case .groups(let groups) = label.content { rest += groups.joined() }
    }
    while let atom = rest.popLast() {
      switch atom.kind {
      case .list(let atoms): rest += atoms
      case .record(let pairs): rest += pairs.map(\.value)
      default: words.append(atom.kind)
      }
    }
    return words
  }

  /// The first keys of the key paths among its arguments and in the values of its labels.
  fileprivate var namedKeys: [String] {
    // The first word may be a source, whose name is then a key that no object has.
    let readsKeys = command.parameters.contains { $0.type.readsEveryRow }
    return (readsKeys ? atoms.compactMap(\.firstKey) : []) + labelKeys
  }

  private var labelKeys: [String] {
    labels.flatMap { label -> [String] in
      let readsKeys = command.allLabels.contains {
        $0.name == label.label.text && $0.type.readsEveryRow
      }
      guard readsKeys else { return [] }
      switch label.content {
      case .groups(let groups): return groups.compactMap { $0.first?.firstKey }
      case .predicate(let predicate): return predicate.names.map(\.text)
      }
    }
  }
}

extension Atom {
  /// The first key, read as a key path, also after a collection operator; a quoted string is one
  /// key.
  fileprivate var firstKey: String? {
    switch kind {
    case .quoted(let key): return key
    case .word(let text):
      var steps = ((try? ObjectKeyPath(parsing: text).steps) ?? [])[...]
      if case .collection = steps.first { steps = steps.dropFirst() }
      guard case .key(let key)? = steps.first else { return nil }
      return key
    default: return nil
    }
  }
}
