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

  /// The facts about an entry that later entries depend on.
  private struct Facts {
    let effect: CommandTable.Effect
    let bound: Set<String>
    /// The names that it may read.
    let mentioned: Set<String>

    init(_ entry: Entry, _ commands: CommandTable) {
      bound = entry.boundNames
      mentioned = MentionedNames.names(in: entry.line.text(in: ""))
      let effects = entry.line.line.stages.map { commands.effect(of: $0.command) }
      effect =
        [.changes, .settings, .session].first { effects.contains($0) } ?? CommandTable.Effect.none
    }

    /// The names that connect the entry with others.
    func names(among known: Set<String>) -> Set<String> {
      bound.union(mentioned).intersection(known).subtracting([SessionLog.lastResult])
    }
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
    let known = facts.reduce(into: Set<String>()) { $0.formUnion($1.bound) }
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
        guard hasEffect(entry.effect) || binds, own.isEmpty || !own.isDisjoint(with: names) else {
          continue
        }
        included.insert(index)
        names.formUnion(own)
        if entry.mentioned.contains(lastResult) { includeResult(before: index) }
        hasChanged = true
      }
    }
    return included.sorted()
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
