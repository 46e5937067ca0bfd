package import DSInterpreter
import DataTables

extension ReplayScript {
  /// Parses a script, or the ```` ```ds ```` fences of a file whose name ends in `.md`.
  ///
  /// Syntax errors are in ``mistakes``, with their locations in the file.
  /// - Complexity: O(bytes).
  package init(_ text: String, path: String, commands: CommandTable = .replay) {
    self.init(text, path: path, commands: commands, attachedTo: [], AttachedScripts())
  }

  /// - Parameters:
  ///   - chain: the paths of the scripts to which the script is attached, outermost first.
  ///   - attached: the attached scripts that were read before.
  init(
    _ text: String, path: String, commands: CommandTable, attachedTo chain: [String],
    _ attached: AttachedScripts
  ) {
    var reader = ScriptReader(text, path: path, table: commands, attachedTo: chain, attached)
    reader.read()
    self = reader.script
  }
}

/// Splits a script into commands and their expectations.
///
/// The interpreter's parser determines where commands begin and end. Lines between commands that
/// begin with a marker are expectations and directives.
private struct ScriptReader {
  private(set) var script: ReplayScript
  /// With the verbs that the script has defined so far.
  private var table: CommandTable
  private let source: ScriptText
  private var settings = SettingScopes()
  private let attached: AttachedScripts
  /// The scripts to which the script is attached, outermost first.
  private let chain: [String]
  private var mistakesOfAttached: [Diagnostic] = []
  /// The lines of `section` directives.
  private var sectionLines: Set<Int> = []
  /// Whether a `section` directive or a heading was read.
  private var isInSection = false
  private var expectations: ExpectationReader
  /// The first lines of commands that contain a marker. The marker causes the other errors of such
  /// a command, which are not reported.
  private var unfinished: Set<Int> = []
  /// The index of the first command of the section or fence. Expectations never apply to an earlier
  /// command.
  private var firstCommand = 0
  /// Whether the previous line belongs to a command, so that a directive may apply to that command.
  private var isUnderCommand = false

  init(
    _ text: String, path: String, table: CommandTable, attachedTo chain: [String],
    _ attached: AttachedScripts
  ) {
    self.attached = attached
    self.chain = chain
    source = ScriptText(text, file: path)
    expectations = ExpectationReader(source)
    script = ReplayScript(
      path: path, source: source, hasByteOrderMark: text.utf8.starts(with: [0xEF, 0xBB, 0xBF]))
    self.table = table
  }

  mutating func read() {
    for fence in ScriptFence.isMarkdown(script.path)
      ? ScriptFence.all(in: source) : [.whole(source)]
    {
      if let heading = fence.heading { beginSection(heading.text, at: heading.line) }
      report(emptyFence: fence)
      read(fence)
    }
    closeSection()
    script.mistakes +=
      WholeScriptCheck(
        script, unfinished: unfinished, sectionLines: sectionLines, isAttached: !chain.isEmpty
      ).mistakes
    if !script.marks.isEmpty { script.lesson = Lesson(script, &script.mistakes) }
    // The sort is stable: several errors on one line keep their order.
    script.mistakes.sort { ($0.place?.line ?? 0) < ($1.place?.line ?? 0) }
    script.mistakes += mistakesOfAttached
    let sections = script.sections.filter { $0.title != nil || !$0.commands.isEmpty }
    if !sections.isEmpty || script.commands.isEmpty { script.sections = sections }
    var titles: [String: Int] = [:]
    for index in script.sections.indices {
      guard let title = script.sections[index].title else { continue }
      titles[title, default: 0] += 1
      script.sections[index].repetition = titles[title] ?? 1
    }
    script.mayFetchInBackground =
      script.mayFetchInBackground || script.commands.contains { $0.has(verb: "source") }
      || script.attachedScripts.contains(where: \.script.mayFetchInBackground)
    script.attachedRuns = script.attachedScripts.reduce(0) { $0 + 1 + $1.script.attachedRuns }
  }

  private mutating func read(_ fence: ScriptFence) {
    if fence.lines.isEmpty { return }
    let start = source.line(fence.lines.lowerBound).lowerBound
    let bytes = start..<source.line(fence.lines.upperBound - 1).upperBound
    isUnderCommand = false
    firstCommand = script.commands.count
    var next = fence.lines.lowerBound
    declareAttachedVerbs(in: fence)
    let commands = ParsedCommand.all(in: Span(source, bytes), commands: table)
    table.declareVerbs(of: commands)
    if script.commands.isEmpty { script.commands.reserveCapacity(commands.count) }
    var index = 0
    var first = fence.lines.lowerBound
    while index < commands.count {
      first = source.line(at: commands[index].bytes.lowerBound, from: first)
      readMarkers(next..<first, fence)
      report(invisibleCharactersOn: source.line(first))
      let start = index
      var last = first
      repeat {
        last = lastLine(of: commands[index], from: last)
        index += 1
      } while index < commands.count
        && source.line(at: commands[index].bytes.lowerBound, from: last) == last
      append(commands[start..<index], lines: first...max(first, last), fence)
      next = max(first, last) + 1
    }
    readMarkers(next..<max(next, fence.lines.upperBound), fence)
  }

  /// Reports a fence of Markdown without text, which would count as a passed test.
  private mutating func report(emptyFence fence: ScriptFence) {
    let isEmpty = fence.lines.allSatisfy { line in
      source.string(source.line(line)).allSatisfy(\.isWhitespace)
    }
    guard isEmpty, ScriptFence.isMarkdown(script.path) else { return }
    script.mistakes.append(
      Diagnostic(
        .syntax, "this fence has no command, so it tests nothing; write its commands, or remove it",
        at: Span(source, source.line(fence.lines.lowerBound - 1))))
  }

  private func lastLine(of command: ParsedCommand, from line: Int) -> Int {
    let bytes = command.bytes
    return source.line(at: max(bytes.lowerBound, bytes.upperBound - 1), from: line)
  }

  private mutating func append(
    _ parts: ArraySlice<ParsedCommand>, lines: ClosedRange<Int>, _ fence: ScriptFence
  ) {
    checkMarkers(in: parts, lines: lines, fence)
    if script.sections.isEmpty {
      script.sections.append(
        ReplayScript.Section(title: nil, line: lines.lowerBound, commands: 0..<0))
    }
    script.commands.append(
      ReplayCommand(
        lines: lines, parts: parts, indent: fence.indent, lastLine: lines.upperBound,
        setting: settings.current))
    isUnderCommand = true
  }

  /// Reports a marker inside an unfinished command, and one behind a command.
  private mutating func checkMarkers(
    in parts: ArraySlice<ParsedCommand>, lines: ClosedRange<Int>, _ fence: ScriptFence
  ) {
    var quotes = QuoteFinder(parts)
    for number in lines {
      let line = source.line(number)
      let trailing = Marker.trailing(source.bytes, line) { quotes.hasQuote(around: $0) }
      guard let trailing else { continue }
      unfinished.insert(number)
      script.mistakes.append(
        Diagnostic(
          .syntax,
          "`\(trailing.marker.text)` is in a comment behind a command: a marker begins its line; "
            + "write it below the command",
          at: Span(source, trailing.start..<line.upperBound)))
    }
    quotes = QuoteFinder(parts)
    for number in lines.dropFirst() {
      let line = source.line(number)
      let found =
        Marker.parse(source.bytes, line, indent: fence.indent)?.marker.text
        ?? Marker.probable(source.bytes, line, isBelowCommand: false).map {
          $0.split(separator: " ").first.map(String.init) ?? $0
        }
      guard let found,
        let part = parts.last(where: { $0.bytes.lowerBound < line.lowerBound }),
        !part.isComplete || !quotes.hasQuote(around: line.lowerBound)
      else { continue }
      let start = source.line(at: part.bytes.lowerBound)
      unfinished.insert(lines.lowerBound)
      script.mistakes.append(
        Diagnostic(
          .syntax,
          "`\(found)` is inside the \(part.isComplete ? "" : "unfinished ")command of line \(start)"
            + (part.isComplete ? "; write it below the last line of the command" : ""),
          at: Span(source, line)))
      return
    }
  }

  private mutating func readMarkers(_ lines: Range<Int>, _ fence: ScriptFence) {
    for number in lines {
      let line = source.line(number)
      guard let (marker, content) = Marker.parse(source.bytes, line, indent: fence.indent),
        !isInterpreterLine(line, at: number)
      else {
        report(nearMarkerOn: line, at: number)
        isUnderCommand = false
        continue
      }
      let text = source.string(content..<line.upperBound)
      if marker == .directive {
        read(directive: text, at: number, Span(source, content..<line.upperBound))
      } else {
        expect(marker, text, at: number, content: content)
      }
    }
  }
}

// Expectations.
extension ScriptReader {
  private mutating func expect(_ marker: Marker, _ text: String, at line: Int, content: Int) {
    let span = Span(source, source.line(line))
    guard script.commands.count > firstCommand else {
      script.mistakes.append(
        Diagnostic(.syntax, "no command is above this `\(marker.text)`", at: span))
      return
    }
    do throws(Diagnostic) {
      if let kind = try expectations.kind(marker, text, at: content) {
        script.commands[script.commands.count - 1].add(Expectation(kind: kind, line: line))
      }
    } catch {
      script.mistakes.append(error)
    }
    isUnderCommand = true
  }

  /// Whether a line is the first one and names the program that runs the script, as
  /// `#! /usr/bin/env dsshell` does.
  private func isInterpreterLine(_ line: Range<Int>, at number: Int) -> Bool {
    guard number == 1, source.bytes[line].starts(with: "#!".utf8) else { return false }
    let program = source.bytes[line].dropFirst(2).drop { $0 == UInt8(ascii: " ") }
    return program.first == UInt8(ascii: "/")
  }

  /// Reports a comment that is almost a marker, because it would check nothing.
  private mutating func report(nearMarkerOn line: Range<Int>, at number: Int) {
    guard !isInterpreterLine(line, at: number),
      let probable = Marker.probable(source.bytes, line, isBelowCommand: isUnderCommand)
    else { return }
    script.mistakes.append(
      Diagnostic(
        .syntax,
        "this is a comment: a marker begins its line and has one space after it; write `\(probable)`",
        at: Span(source, line)))
  }
}

// Invisible characters.
extension ScriptReader {
  /// Reports a line that would be a comment or a marker without an invisible character before it.
  private mutating func report(invisibleCharactersOn line: Range<Int>) {
    guard !line.isEmpty, source.bytes[line.lowerBound] >= 0x80,
      let probable = Marker.probable(source.bytes, line, isBelowCommand: true)
    else { return }
    script.mistakes.append(
      Diagnostic(
        .syntax, "an invisible character is before the marker; write `\(probable)`",
        at: Span(source, line)))
  }
}

// Directives and sections.
extension ScriptReader {
  private mutating func read(directive text: String, at line: Int, _ span: Span) {
    let directive: Directive
    do throws(Directive.Mistake) {
      directive = try Directive(parsing: text)
    } catch {
      script.mistakes.append(
        Diagnostic(.syntax, error.message, suggestion: error.suggestion, at: span))
      return
    }
    if case .section(let title) = directive {
      sectionLines.insert(line)
      beginSection(title, at: line)
    } else if readSetting(directive, at: line, span) {
      // Expectations below it still belong to the command above.
    } else if case .lesson(let mark) = directive {
      script.marks.append(
        ReplayScript.Mark(mark: mark, line: line, command: script.commands.count))
      // Expectations and settings below it belong to the commands below it.
      isUnderCommand = false
      firstCommand = script.commands.count
    } else if isUnderCommand, directive.canApplyToCommand, var command = script.commands.popLast() {
      command.setting.apply(directive, line: line)
      command.lastLine = line
      script.commands.append(command)
    } else {
      settings.apply(directive, line: line)
      if directive.changesEnvironment {
        script.steps.append(
          ReplayScript.Step(directive: directive, line: line, command: script.commands.count))
      }
    }
  }

  private mutating func beginSection(_ title: String, at line: Int) {
    closeSection()
    let place = script.commands.count
    script.sections.append(
      ReplayScript.Section(
        title: title, line: line, commands: place..<place, setting: script.setting))
    isInSection = true
    settings.beginSection()
    isUnderCommand = false
    firstCommand = place
  }

  private mutating func closeSection() {
    guard var section = script.sections.popLast() else { return }
    section.commands = section.commands.lowerBound..<script.commands.count
    if section.title == nil { section.setting = script.setting }
    script.sections.append(section)
  }
}

// Directives that apply to sections as wholes, and those about the runs of the script.
extension ScriptReader {
  /// Reads the attached scripts of a fence before its commands, which may use verbs that they define.
  private mutating func declareAttachedVerbs(in fence: ScriptFence) {
    for number in fence.lines {
      let line = source.line(number)
      guard let (marker, content) = Marker.parse(source.bytes, line, indent: fence.indent),
        marker == .directive, content < line.upperBound,
        // `after` or `before`: only their scripts are read ahead.
        [UInt8(ascii: "a"), UInt8(ascii: "b")].contains(source.bytes[content]),
        case .attach(_, let file)? = try? Directive(
          parsing: source.string(content..<line.upperBound)),
        let other = try? attached.script(file, attachedTo: script.path, chain, table)
      else { continue }
      table.declareVerbs(of: other)
    }
  }

  /// - Returns: false for other directives.
  private mutating func readSetting(_ directive: Directive, at line: Int, _ span: Span) -> Bool {
    switch directive {
    case .tags(let tags): change { setting, _ in setting.add(tags: tags) }
    case .property(let runs): change { setting, _ in setting.setProperty(runs: runs, line: line) }
    case .attach(let place, let file):
      do throws(AttachedScripts.Failure) {
        let other = try attached.script(file, attachedTo: script.path, chain, table)
        let script = AttachedScript(place, line: line, other)
        change { setting, kept in setting.attach(script, above: kept) }
      } catch {
        self.script.mistakes.append(Diagnostic(.syntax, error.message, at: span))
        mistakesOfAttached += attached.unreportedMistakes(of: error)
      }
    case .each(let name, let pattern):
      guard script.each == nil else {
        script.mistakes.append(
          Diagnostic(.syntax, "a script has one `each` directive; remove this one", at: span))
        return true
      }
      do throws(EachFile.Failure) {
        script.each = try EachFile(
          name: name, pattern: pattern, line: line, ofScriptAt: script.path)
      } catch {
        script.mistakes.append(Diagnostic(.io, error.message, at: span))
      }
    default: return false
    }
    return true
  }

  /// Changes the setting of the section, or of the file above the first section.
  ///
  /// - Parameter body: also receives the number of scripts of the file that run after a section.
  private mutating func change(_ body: (inout SectionSetting, Int) -> Void) {
    if isInSection, !script.sections.isEmpty {
      body(&script.sections[script.sections.count - 1].setting, script.setting.after.count)
    } else {
      body(&script.setting, 0)
    }
  }
}

extension CommandTable {
  /// Adds the verbs that a script and its attached scripts define.
  fileprivate mutating func declareVerbs(of script: ReplayScript) {
    for script in [script] + script.allAttachedScripts {
      for command in script.commands { declareVerbs(of: Array(command.parts)) }
    }
  }
}
