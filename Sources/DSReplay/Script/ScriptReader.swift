package import DSInterpreter
import DataTables

extension ReplayScript {
  /// Parses a script, or the ```` ```ds ```` fences of a file whose name ends in `.md`.
  ///
  /// Syntax errors are in ``mistakes``, with their locations in the file.
  /// - Complexity: O(bytes).
  package init(_ text: String, path: String, commands: CommandTable = .recording) {
    var reader = ScriptReader(text, path: path, table: commands)
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
  /// The names captured by holes so far.
  private var captures: Set<String> = []
  /// The first lines of commands that contain a marker. The marker causes the other errors of such
  /// a command, which are not reported.
  private var unfinished: Set<Int> = []
  /// The index of the first command of the section or fence. Expectations never apply to an earlier
  /// command.
  private var firstCommand = 0
  /// Whether the previous line belongs to a command, so that a directive may apply to that command.
  private var isUnderCommand = false

  init(_ text: String, path: String, table: CommandTable) {
    source = ScriptText(text, file: path)
    script = ReplayScript(
      path: path, source: source, hasByteOrderMark: text.utf8.starts(with: [0xEF, 0xBB, 0xBF]))
    self.table = table
  }

  mutating func read() {
    let isMarkdown = script.path.hasSuffix(".md") || script.path.hasSuffix(".markdown")
    for fence in isMarkdown ? ScriptFence.all(in: source) : [.whole(source)] {
      if let heading = fence.heading { beginSection(heading.text, at: heading.line) }
      read(fence)
    }
    closeSection()
    reportUnparsableCommands()
    // The sort is stable: several errors on one line keep their order.
    script.mistakes.sort { ($0.place?.line ?? 0) < ($1.place?.line ?? 0) }
    let sections = script.sections.filter { $0.title != nil || !$0.commands.isEmpty }
    if !sections.isEmpty || script.commands.isEmpty { script.sections = sections }
  }

  /// Reports commands that do not parse, unless an error is expected of them.
  private mutating func reportUnparsableCommands() {
    // Filter first: usually no command is left, and a loop over all commands would copy each of
    // them.
    for command in script.commands.filter({ $0.mistake != nil })
    where !command.expectations.contains(where: \.isError)
      && !unfinished.contains(command.lines.lowerBound)
    {
      for case .mistake(let mistake, _, _) in command.parts { script.mistakes.append(mistake) }
    }
  }

  private mutating func read(_ fence: ScriptFence) {
    if fence.lines.isEmpty { return }
    let start = source.line(fence.lines.lowerBound).lowerBound
    let bytes = start..<source.line(fence.lines.upperBound - 1).upperBound
    isUnderCommand = false
    firstCommand = script.commands.count
    var next = fence.lines.lowerBound
    let commands = ParsedCommand.all(in: Span(source, bytes), commands: table)
    table.declareVerbs(of: commands)
    if script.commands.isEmpty { script.commands.reserveCapacity(commands.count) }
    var index = 0
    var first = fence.lines.lowerBound
    while index < commands.count {
      first = source.line(at: commands[index].bytes.lowerBound, from: first)
      readMarkers(next..<first, fence)
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

  /// Reports a marker inside an unfinished command.
  private mutating func checkMarkers(
    in parts: ArraySlice<ParsedCommand>, lines: ClosedRange<Int>, _ fence: ScriptFence
  ) {
    for number in lines.dropFirst() {
      let line = source.line(number)
      guard let found = Marker.parse(source.bytes, line, indent: fence.indent),
        let part = parts.last(where: { $0.bytes.lowerBound < line.lowerBound }),
        !part.isComplete || !part.span.hasQuote(around: line.lowerBound)
      else { continue }
      let start = source.line(at: part.bytes.lowerBound)
      unfinished.insert(lines.lowerBound)
      script.mistakes.append(
        Diagnostic(
          .syntax,
          "`\(found.marker.text)` is inside the unfinished command of line \(start)",
          at: Span(source, line)))
      return
    }
  }

  private mutating func readMarkers(_ lines: Range<Int>, _ fence: ScriptFence) {
    for number in lines {
      let line = source.line(number)
      guard let (marker, content) = Marker.parse(source.bytes, line, indent: fence.indent),
        // `#! /usr/bin/env dsshell` in the first line is not an expectation.
        !(marker == .errorLine && number == 1)
      else {
        warnIfNearMarker(on: line)
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
    if let kind = kind(marker, text, at: content) {
      script.commands[script.commands.count - 1].add(Expectation(kind: kind, line: line))
    }
    isUnderCommand = true
  }

  private mutating func kind(_ marker: Marker, _ text: String, at content: Int) -> Expectation.Kind?
  {
    switch marker {
    case .line: return .line(LineEnding.read(text))
    case .anyLines: return .anyLines
    case .file:
      let name = text.drop { $0 == " " }
      if !name.isEmpty { return .file(String(name)) }
      let span = Span(source, max(0, content - 2)..<content)
      script.mistakes.append(
        Diagnostic(.syntax, "`#<` needs the name of a file: write `#< menu.txt`", at: span))
      return nil
    case .pattern, .errorLine:
      do throws(LinePattern.Mistake) {
        let pattern = try LinePattern(
          parsing: LineEnding.read(text), marker == .pattern ? .doubled : .lenient, known: captures)
        captures.formUnion(pattern.captures)
        return marker == .pattern ? .pattern(pattern) : .errorLine(pattern)
      } catch {
        let range = content + error.range.lowerBound..<content + error.range.upperBound
        script.mistakes.append(
          Diagnostic(
            .syntax, error.message, suggestion: error.suggestion, at: Span(source, range)))
        return nil
      }
    case .directive: return nil
    }
  }

  /// Warns about a comment that is almost a marker.
  private mutating func warnIfNearMarker(on line: Range<Int>) {
    let bytes = source.bytes
    var start = line.lowerBound
    while start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
    guard line.upperBound - start > 2, bytes[start] == UInt8(ascii: "#"), line.lowerBound > 0,
      let marker = Marker(bytes[start + 1]), marker != .anyLines
    else { return }
    let isIndented = start > line.lowerBound
    guard isIndented == (bytes[start + 2] == UInt8(ascii: " ")) else { return }
    let rule =
      isIndented
      ? "begins at the start of the line" : "has a space after `\(marker.text)`"
    script.warnings.append(
      Diagnostic(
        .syntax, "this is a comment; an expectation \(rule)",
        at: Span(source, start..<line.upperBound)))
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
      beginSection(title, at: line)
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
      ReplayScript.Section(title: title, line: line, commands: place..<place))
    settings.beginSection()
    isUnderCommand = false
    firstCommand = place
  }

  private mutating func closeSection() {
    guard var section = script.sections.popLast() else { return }
    section.commands = section.commands.lowerBound..<script.commands.count
    script.sections.append(section)
  }
}
