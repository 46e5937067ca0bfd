package import DSInterpreter
import DataSources
import DataTables

/// The changes that an update would make to a script and its side files, one after the other, for a
/// person who accepts or rejects each of them.
///
/// Nothing is written before ``corrections`` is applied.
package struct FileReview {
  /// A change of adjacent lines of the script, or of a side file.
  package struct Hunk: Sendable {
    /// The line of the command.
    package let line: Int
    /// The lines of the command.
    package let command: [String]
    /// The title of its section.
    package let section: String?
    /// The lines with the change as a patch shows them, with `-`, `+` or a space before each.
    package internal(set) var shown: [String]
    /// The new lines of the script; empty for a side file.
    package internal(set) var replacement: [String]
    /// Columns and keys whose values differ.
    package let keys: [String]
    /// Whether holes can be made of the differences.
    package let canHaveHoles: Bool
    fileprivate var change: Change
    fileprivate var isAccepted = false
  }

  fileprivate enum Change: Sendable {
    case edit(Correction.Edit)
    case file(Correction.File)
  }

  package let path: String
  package private(set) var hunks: [Hunk] = []
  private let script: ReplayScript
  private let commands: CommandTable
  /// Directives to insert, by the line of their command.
  private var ignored: [Int: [String]] = [:]

  /// - Returns: nil if the script cannot be read, or has changed since it was run.
  package init?(_ outcome: FileOutcome, commands: CommandTable) {
    guard let script = try? ScriptUpdate.read(outcome.path, commands),
      script.stamp == outcome.stamp
    else { return nil }
    path = outcome.path
    self.script = script
    self.commands = commands
    for section in outcome.sections {
      for failure in section.failures {
        guard let correction = failure.correction else { continue }
        add(correction, of: failure, in: section)
      }
    }
  }

  private mutating func add(
    _ correction: Correction, of failure: CommandFailure, in section: SectionOutcome
  ) {
    let command = script.commands.first { $0.lines.lowerBound == failure.line }
    let lines = (command?.lines).map { $0.map(line) } ?? []
    for edit in Self.joined(correction.edits) {
      hunks.append(
        Hunk(
          line: failure.line, command: lines, section: section.title, shown: shown(edit),
          replacement: edit.replacement, keys: failure.differingKeys,
          canHaveHoles: withHoles(edit) != nil, change: .edit(edit)))
    }
    for file in correction.files {
      let old =
        file.stamp == nil
        ? nil : try? TextFile.read(file.path, cancellation: Cancellation())
      let diff = UnifiedDiff(path: file.path, from: old, to: file.text).text
      hunks.append(
        Hunk(
          line: failure.line, command: lines, section: section.title,
          shown: diff.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init),
          replacement: [], keys: failure.differingKeys, canHaveHoles: false, change: .file(file)))
    }
  }

  private func line(_ number: Int) -> String { script.source.string(script.source.line(number)) }

  /// Edits of adjacent lines as one.
  private static func joined(_ edits: [Correction.Edit]) -> [Correction.Edit] {
    edits.reduce(into: []) { joined, edit in
      if let last = joined.last, last.lines.upperBound == edit.lines.lowerBound {
        joined[joined.count - 1] = Correction.Edit(
          lines: last.lines.lowerBound..<edit.lines.upperBound,
          replacement: last.replacement + edit.replacement)
      } else {
        joined.append(edit)
      }
    }
  }

  private static let context = 2

  private func shown(_ edit: Correction.Edit) -> [String] {
    let end = script.source.numberOfLines + 1
    let above = max(1, edit.lines.lowerBound - Self.context)..<edit.lines.lowerBound
    let below = edit.lines.upperBound..<min(end, edit.lines.upperBound + Self.context)
    return above.map { " " + line($0) } + edit.lines.map { "-" + line($0) }
      + edit.replacement.map { "+" + $0 }
      + (below.lowerBound < below.upperBound ? below.map { " " + line($0) } : [])
  }
}

// Decisions.
extension FileReview {
  package mutating func accept(_ index: Int) { hunks[index].isAccepted = true }

  /// Accepts other lines in place of the new ones.
  /// - Returns: the reason why they are not accepted; nil if they are.
  package mutating func accept(_ index: Int, writing lines: [String]) -> String? {
    guard case .edit(var edit) = hunks[index].change else {
      return "a side file is not edited here"
    }
    // The rest of the command's expectations may be correct, and without any, all output would pass.
    if lines.allSatisfy(\.isEmpty), !edit.lines.isEmpty {
      return "without these lines, nothing would be expected there; `#...` accepts any lines"
    }
    edit.replacement = lines
    if let mistake = mistake(after: edit) { return mistake }
    hunks[index].change = .edit(edit)
    hunks[index].replacement = lines
    hunks[index].shown = shown(edit)
    hunks[index].isAccepted = true
    return nil
  }

  /// Keeps the old lines, with holes in place of what differs.
  /// - Returns: the reason why it is not possible; nil if it is done.
  package mutating func makeHoles(_ index: Int) -> String? {
    guard case .edit(let edit) = hunks[index].change, let lines = withHoles(edit) else {
      return "holes need as many old lines as new ones"
    }
    return accept(index, writing: lines)
  }

  /// Lets the values of some of the differing columns and keys differ; the other changes of the
  /// command are left out.
  /// - Returns: the index of the first change of a later command.
  package mutating func ignore(_ keys: [String], of index: Int) -> Int {
    let line = hunks[index].line
    ignored[line] = keys
    for other in hunks.indices where hunks[other].line == line { hunks[other].isAccepted = false }
    return hunks.indices.first { $0 > index && hunks[$0].line != line } ?? hunks.count
  }

  /// The line that ``ignore(_:of:)`` adds.
  package static func directive(ignoring keys: [String]) -> String {
    Directive.text(ofIgnored: keys)
  }

  private func withHoles(_ edit: Correction.Edit) -> [String]? {
    guard edit.lines.count == edit.replacement.count, !edit.lines.isEmpty else { return nil }
    let lines = zip(edit.lines, edit.replacement).map { Marker.withHoles(line($0), for: $1) }
    return lines.contains(nil) ? nil : lines.compactMap(\.self)
  }

  /// The reason why the script would be wrong after an edit.
  private func mistake(after edit: Correction.Edit) -> String? {
    let new = ReplayScript(script.text(after: [edit]), path: path, commands: commands)
    if let mistake = new.mistakes.first {
      // The line first: the message may end in the line to write in its place.
      let line = mistake.place?.redactedText.text.split(whereSeparator: \.isNewline).first
      return (line.map { "`\($0)`: " } ?? "") + mistake.message
    }
    let isSame = new.commands.map(\.text) == script.commands.map(\.text)
    return isSame ? nil : "the lines would change the commands of the script"
  }

  /// The accepted changes; empty if there are none.
  package var corrections: [Correction] {
    var correction = Correction()
    for hunk in hunks where hunk.isAccepted {
      switch hunk.change {
      case .edit(let edit): correction.edits.append(edit)
      case .file(let file): correction.files.append(file)
      }
      correction.changedLines += max(1, hunk.replacement.count)
    }
    for (line, keys) in ignored.sorted(by: { $0.key < $1.key }) {
      guard let command = script.commands.first(where: { $0.lines.lowerBound == line }) else {
        continue
      }
      let indent = String(repeating: " ", count: command.indent)
      let next = command.lines.upperBound + 1
      correction.edits.append(
        Correction.Edit(
          lines: next..<next, replacement: [indent + Self.directive(ignoring: keys)]))
      correction.changedLines += 1
    }
    correction.edits.sort {
      ($0.lines.lowerBound, $0.lines.count) < ($1.lines.lowerBound, $1.lines.count)
    }
    return correction.edits.isEmpty && correction.files.isEmpty ? [] : [correction]
  }
}

extension Marker {
  /// A line of a script with holes in place of its differences from another line; nil if one of them
  /// is not an expected line, or they are of different kinds.
  fileprivate static func withHoles(_ old: String, for new: String) -> String? {
    let indent = String(old.prefix { $0 == " " })
    guard let old = pattern(of: old), let new = pattern(of: new), old.isError == new.isError,
      let text = new.pattern.plainText
    else { return nil }
    // A table whose widths have changed has other words, but the same cells.
    let pattern =
      old.pattern.plainText.flatMap {
        LinePattern.byWords($0, text) ?? LinePattern.byCells($0, text)
      } ?? old.pattern.widened(for: text)
    return indent + (old.isError ? errorLine(pattern) : outputLine(pattern))
  }

  private static func pattern(of line: String) -> (pattern: LinePattern, isError: Bool)? {
    let bytes = Array(line.utf8)
    guard let (marker, content) = parse(bytes, bytes.indices, indent: bytes.count) else {
      return nil
    }
    let text = LineEnding.read(String(decoding: bytes[content...], as: UTF8.self))
    switch marker {
    case .line: return (LinePattern(text: text), false)
    case .pattern:
      return (try? LinePattern(parsing: text, .doubled, known: [])).map { ($0, false) }
    case .errorLine:
      return (try? LinePattern(parsing: text, .lenient, known: [])).map { ($0, true) }
    case .file, .absent, .directive, .anyLines: return nil
    }
  }
}
