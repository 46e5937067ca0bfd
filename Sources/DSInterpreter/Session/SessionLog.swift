import DataTables

/// The commands of a session that succeeded, for scripts that repeat them.
///
/// A command that failed after it had bound a name, such as `let x = remote URL | fetch`, is kept up
/// to its part that makes the source.
package struct SessionLog {
  /// One line of the outermost script; a block and its lines are one entry.
  private struct Entry {
    let line: RecordedLine
    /// The names that the line bound, and `_` if it had a result.
    let boundNames: Set<String>
    /// Whether the line is from the configuration of the user.
    let isConfiguration: Bool
  }
  private var entries: [Entry] = []
  /// Whether the lines that run are from the configuration of the user.
  package var isConfiguring = false

  /// The number of commands.
  package var count: Int { entries.count }

  mutating func append(_ line: RecordedLine, boundNames: Set<String>) {
    entries.append(
      Entry(line: line, boundNames: boundNames, isConfiguration: isConfiguring))
  }

  /// The `expect` and `require` commands, in order.
  var checks: [Line] { entries.map(\.line.line).filter(\.isCheck) }

  /// All typed commands, after those of the configuration that define what they use, as lines of a
  /// script in `folder`. Commands about the session itself are left out.
  package func script(in folder: String, commands: CommandTable) -> [String] {
    let facts = entries.map { Facts($0, commands) }
    let own = entries.indices.filter {
      !entries[$0].isConfiguration && facts[$0].effect != .session
    }
    let names = own.reduce(into: Set<String>()) { $0.formUnion(facts[$1].mentioned) }
    let configuration = entries.prefix { $0.isConfiguration }.count
    let defining = Self.defining(names, in: facts[..<configuration]) { $0 == .changes }
    return (defining + own).map { entries[$0].line.text(in: folder) }
  }

  /// The commands that determine what names are bound to, and how results are shown, as lines of a
  /// script in `folder`.
  ///
  /// - Parameter end: a value of ``count``; later commands are left out.
  package func definitions(
    of names: Set<String>, before end: Int, in folder: String, commands: CommandTable
  ) -> [String] {
    let facts = entries[..<end].map { Facts($0, commands) }
    return Self.defining(names, in: facts[...]) { $0 == .changes || $0 == .settings }
      .map { entries[$0].line.text(in: folder) }
  }

  /// How the session bound a name.
  ///
  /// - Parameter name: the name; nil for the one that was bound last.
  /// - Returns: nil if no command bound the name.
  package func history(
    of name: String?, in folder: String, commands: CommandTable
  ) -> NameHistory? {
    let facts = entries.map { Facts($0, commands) }
    let known = Self.known(facts[...])
    let lastBound = facts.last { !$0.bound.subtracting([Self.lastResult]).isEmpty }
    let newest = lastBound?.bound.subtracting([Self.lastResult]).min()
    guard let name = name ?? newest else { return nil }
    let isAboutName = facts.map { $0.bound.contains(name) || $0.mentioned.contains(name) }
    var definitions: [[Int]] = []
    for index in facts.indices where isAboutName[index] {
      if facts[index].bound.contains(name) {
        definitions.append([index])
      } else if facts[index].effect == .changes, !definitions.isEmpty {
        definitions[definitions.count - 1].append(index)
      }
    }
    guard let last = definitions.last?.first else { return nil }
    let checks = facts.indices.filter {
      $0 > last && isAboutName[$0] && entries[$0].line.line.isCheck
    }
    var needed = (definitions.joined() + checks).reduce(into: Set<String>()) {
      $0.formUnion(facts[$1].mentioned)
    }
    var start: Set<Int> = []
    var grows = true
    while grows {
      grows = false
      for index in facts.indices where !isAboutName[index] && !start.contains(index) {
        let entry = facts[index]
        let bound = entry.bound.subtracting([Self.lastResult])
        let changes = entry.effect == .changes && !entry.changesOnlyItsResult
        let isNeeded =
          bound.isEmpty
          ? changes
            && (entry.names(among: known).isEmpty || !entry.mentioned.isDisjoint(with: needed))
          : !bound.isDisjoint(with: needed)
        guard isNeeded else { continue }
        start.insert(index)
        needed.formUnion(entry.mentioned)
        grows = true
      }
    }
    func text(_ index: Int) -> String { entries[index].line.text(in: folder) }
    return NameHistory(
      name: name,
      start: start.sorted().map {
        NameHistory.Definition(
          text: text($0), names: facts[$0].bound.subtracting([Self.lastResult]),
          mentioned: facts[$0].mentioned)
      }, definitions: definitions.map { $0.map(text) },
      checks: checks.map(text),
      verb: entries[last].line.line.stages.first { $0.command.resultKind == .newSource }?.verb.text)
  }

  /// The facts about an entry that later entries depend on.
  private struct Facts {
    let effect: CommandTable.Effect
    /// Whether it makes a source and changes only that one.
    let changesOnlyItsResult: Bool
    let bound: Set<String>
    /// Whether it only drops names.
    let drops: Bool
    /// Whether it ends the script.
    let endsScript: Bool
    /// The names that it may read.
    let mentioned: Set<String>

    init(_ entry: Entry, _ commands: CommandTable) {
      bound = entry.boundNames
      mentioned = MentionedNames.names(in: entry.line.text(in: ""))
      let stages = entry.line.line.stages
      drops = stages.allSatisfy {
        // `rename` unbinds one name and binds the other.
        let changes = $0.command.nameChanges(["a", "b"])
        return changes.bound.isEmpty && !changes.unbound.isEmpty
      }
      endsScript = stages.contains { $0.command.endsScript }
      // A new source has no effect on later entries unless a name is bound to it.
      let effects = stages.map {
        $0.command.resultKind == .newSource ? .none : commands.effect(of: $0.command)
      }
      effect =
        [.changes, .settings, .session].first { effects.contains($0) } ?? CommandTable.Effect.none
      changesOnlyItsResult =
        stages.first?.command.resultKind == .newSource
        && stages.allSatisfy { [.newSource, .sameSource].contains($0.command.resultKind) }
    }

    /// The names that connect the entry with others.
    func names(among known: Set<String>) -> Set<String> {
      bound.union(mentioned).intersection(known).subtracting([SessionLog.lastResult])
    }
  }

  /// The names that entries bind.
  private static func known(_ facts: ArraySlice<Facts>) -> Set<String> {
    facts.reduce(into: Set<String>()) { $0.formUnion($1.bound) }
  }

  /// The name of the last result.
  private static let lastResult = "_"

  /// The positions of the entries that define names, directly or through the names that they mention.
  ///
  /// An entry with an effect and without a name, such as `stub`, is among them. A name that was bound
  /// twice has both definitions, because a source in between may wrap the first.
  private static func defining(
    _ names: Set<String>, in facts: ArraySlice<Facts>,
    where hasEffect: (CommandTable.Effect) -> Bool
  ) -> [Int] {
    let known = known(facts)
    var names = names
    var included: Set<Int> = []
    // `_` is the result of the entry before the one that mentions it.
    func includeResult(before position: Int) {
      let index = facts[..<position].lastIndex { $0.bound.contains(lastResult) }
      guard let index, included.insert(index).inserted else { return }
      names.formUnion(facts[index].names(among: known))
      if facts[index].mentioned.contains(lastResult) { includeResult(before: index) }
    }
    if names.contains(lastResult) { includeResult(before: facts.endIndex) }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for index in facts.indices where !included.contains(index) {
        let entry = facts[index]
        let own = entry.names(among: known)
        let binds = !entry.bound.subtracting([lastResult]).isEmpty
        guard hasEffect(entry.effect) || binds, !entry.endsScript,
          own.isEmpty ? !entry.changesOnlyItsResult : !own.isDisjoint(with: names)
        else { continue }
        included.insert(index)
        names.formUnion(own)
        if entry.mentioned.contains(lastResult) { includeResult(before: index) }
        hasChanged = true
      }
    }
    // A name is dropped for a later one of the same name; other drops lead nowhere.
    let isBoundLater = { (name: String, index: Int) in
      included.contains { $0 > index && facts[$0].bound.contains(name) }
    }
    return included.filter { index in
      !facts[index].drops || facts[index].mentioned.contains { isBoundLater($0, index) }
    }.sorted()
  }
}

/// How the commands of a session bound a name, once or several times; as lines of a script.
package struct NameHistory {
  package let name: String
  /// The other commands that its definitions use.
  package let start: [Definition]
  /// For each time it was bound: the command that bound it, and those that changed the result.
  package let definitions: [[String]]
  /// The checks of the last result that held.
  package let checks: [String]
  /// The verb that made the last result; nil if it is the value of an expression.
  package let verb: String?

  package struct Definition {
    package let text: String
    /// The names that it binds.
    package let names: Set<String>
    /// The words that may be names.
    package let mentioned: Set<String>
  }
}

extension Pipe {
  /// The index of the stage whose source `let` binds: the last stage that creates a source, if all
  /// stages after it return the same source.
  var bindingStage: Int? {
    guard let index = stages.lastIndex(where: { $0.command.resultKind != .sameSource })
    else { return nil }
    return stages[index].command.resultKind == .newSource ? index : nil
  }
}

extension Line {
  /// The end of the part that makes the source that the line binds; nil if it makes none.
  var endOfDefinition: Int? {
    switch kind {
    case .pipe(let pipe), .binding(_, let pipe):
      pipe.bindingStage.map { pipe.stages[$0].span.end }
    }
  }
}

/// A line that was run, in the form that another script needs.
struct RecordedLine {
  let line: Line
  let replacements: [RecordedReplacement]
  /// The end of the recorded text.
  let end: Int

  init(_ line: Line, _ replacements: [RecordedReplacement], end: Int? = nil) {
    self.line = line
    let end = end ?? line.span.end
    self.end = end
    let span = line.span
    self.replacements = replacements.filter {
      $0.span.script === span.script && $0.span.start >= span.start && $0.span.end <= end
    }.sorted { $0.span.end < $1.span.end }
  }

  /// The text for a script in `folder`.
  func text(in folder: String) -> String {
    var text = ""
    var position = line.span.start
    let script = line.span.script
    for replacement in replacements where replacement.span.start >= position {
      switch replacement.text {
      case .source(let name):
        text += script.string(position..<replacement.span.end) + " " + name
      case .path(let path):
        text += script.string(position..<replacement.span.start)
        text += FilePath.written(FilePath.relative(path, to: folder))
      }
      position = replacement.span.end
    }
    return text + script.string(position..<end)
  }
}
