import DSInterpreter
import DataSources
import DataTables
import Glibc

/// A check for lines that parse but are probably mistakes.
struct ScriptRule: Sendable {
  let check: @Sendable (ReplayScript) -> [Diagnostic]

  static let all = [
    invisibleEnds, repeatedTitles, unusedCaptures, missingFiles, adjacentAnyLines,
  ]

  /// White space at the end of an expected line is invisible, and editors remove it.
  static let invisibleEnds = ScriptRule { script in
    script.expectations.compactMap { expectation in
      let range = script.source.line(expectation.line)
      guard let last = script.source.bytes[range].last,
        range.count > 3, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t")
      else { return nil }
      return Diagnostic(
        .syntax,
        "the line ends in white space, which is invisible; write `\\s` for a space",
        at: Span(script.source, range.upperBound - 1..<range.upperBound))
    }
  }

  static let repeatedTitles = ScriptRule { script in
    var lines: [String: Int] = [:]
    return script.sections.compactMap { section in
      guard let title = section.title else { return nil }
      guard let first = lines[title] else {
        lines[title] = section.line
        return nil
      }
      return Diagnostic(
        .syntax, "the section of line \(first) also has the title \"\(title)\"",
        at: Span(script.source, script.source.line(section.line)))
    }
  }

  static let unusedCaptures = ScriptRule { script in
    var used: Set<String> = []
    for pattern in script.expectations.compactMap(\.pattern) {
      for case .reference(let name, _, _) in pattern.segments { used.insert(name) }
    }
    return script.expectations.flatMap { expectation in
      (expectation.pattern?.captures ?? []).filter { !used.contains($0) }.map { name in
        Diagnostic(
          .syntax, "no line below has {\(name)}, so the capture is unused",
          at: Span(script.source, script.source.line(expectation.line)))
      }
    }
  }

  static let missingFiles = ScriptRule { script in
    let folder = FilePath.folder(of: script.path)
    return script.expectations.compactMap { expectation in
      guard case .file(let name) = expectation.kind,
        access(FileOverlay.readable(FilePath.resolve(name, in: folder)), R_OK) != 0
      else { return nil }
      return Diagnostic(
        .io, "`\(name)` cannot be read; the path is relative to the folder of the script",
        at: Span(script.source, script.source.line(expectation.line)))
    }
  }

  static let adjacentAnyLines = ScriptRule { script in
    script.commands.flatMap { command in
      zip(command.expectations, command.expectations.dropFirst()).compactMap { first, second in
        guard case .anyLines = first.kind, case .anyLines = second.kind else { return nil }
        return Diagnostic(
          .syntax, "one `#...` matches any number of lines; remove the second",
          at: Span(script.source, script.source.line(second.line)))
      }
    }
  }
}

extension ReplayScript {
  fileprivate var expectations: [Expectation] { commands.flatMap(\.expectations) }
}
