package import DSInterpreter
import DataTables

extension ReplayScript {
  /// Reads a script, or the ```` ```ds ```` fences of a text whose name ends in `.md`.
  ///
  /// What is wrong is in ``mistakes``, with its place in the file.
  /// - Complexity: O(bytes).
  package init(_ text: String, path: String, commands: CommandTable = .recording) {
    var reader = ScriptReader(text, path: path, table: commands)
    reader.read()
    self = reader.script
  }
}

/// Cuts a script into commands and what is expected of them.
///
/// The interpreter's parser says where commands begin and end; lines between them that begin with a
/// marker are expectations and directives.
struct ScriptReader {
  var script: ReplayScript
  private let table: CommandTable
  let source: ScriptText
  var settings = SettingScopes()
  /// The names that holes gave so far.
  var captures: Set<String> = []
  /// The first lines of commands in which markers stand: what else is wrong follows from that.
  private var unfinished: Set<Int> = []
  /// The position of the first command of the section or fence: a line is about none before it.
  var firstCommand = 0
  /// Whether the line before belongs to a command: then a directive may be for that command.
  var isUnderCommand = false

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
    refuseUnreadable()
    // Of equals the first comes first: sections hold mistakes of several kinds.
    script.mistakes.sort { ($0.place?.line ?? 0) < ($1.place?.line ?? 0) }
    let sections = script.sections.filter { $0.title != nil || !$0.commands.isEmpty }
    if !sections.isEmpty || script.commands.isEmpty { script.sections = sections }
  }

  /// A command that cannot be read is a mistake of the script, unless an error is expected of it.
  private mutating func refuseUnreadable() {
    // Mostly there is none, and no command need be copied.
    for command in script.commands.filter({ $0.mistake != nil })
    where !command.expectations.contains(where: \.isError)
      && !unfinished.contains(command.lines.lowerBound)
    {
      for case .mistake(let mistake, _, _) in command.parts { script.mistakes.append(mistake) }
    }
  }

  private mutating func read(_ fence: ScriptFence) {
    if fence.lines.isEmpty { return }
    let bytes =
      source.line(fence.lines.lowerBound)
      .lowerBound..<source.line(fence.lines.upperBound - 1)
      .upperBound
    isUnderCommand = false
    firstCommand = script.commands.count
    var next = fence.lines.lowerBound
    let commands = ParsedCommand.all(in: Span(source, bytes), commands: table)
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

  /// A marker inside of a command that is not finished is never what was meant.
  private mutating func checkMarkers(
    in parts: ArraySlice<ParsedCommand>, lines: ClosedRange<Int>, _ fence: ScriptFence
  ) {
    for number in lines.dropFirst() {
      let line = source.line(number)
      guard let found = Marker.begin(source.bytes, line, indent: fence.indent),
        let part = parts.last(where: { $0.bytes.lowerBound < line.lowerBound }),
        !part.isComplete || !part.span.hasQuote(around: line.lowerBound)
      else { continue }
      let start = source.line(at: part.bytes.lowerBound)
      unfinished.insert(lines.lowerBound)
      script.mistakes.append(
        Diagnostic(
          .syntax,
          "`\(found.marker.text)` stands inside of the command of line \(start), which is not finished",
          at: Span(source, line)))
      return
    }
  }

  private mutating func readMarkers(_ lines: Range<Int>, _ fence: ScriptFence) {
    for number in lines {
      let line = source.line(number)
      guard let (marker, content) = Marker.begin(source.bytes, line, indent: fence.indent),
        // `#! /usr/bin/env dsshell`
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
