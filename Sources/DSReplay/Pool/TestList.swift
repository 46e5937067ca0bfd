package import DSInterpreter
import DataSources
import DataTables
import DisplayText

/// The sections that a run would test (`--list`).
package struct TestList {
  /// A section in one run of its script.
  struct Entry {
    let path: String
    let line: Int
    let title: String?
    let tags: [String]
    /// Whether the path alone selects it. The line of a section without a title selects only its first
    /// command.
    let isOnlySection: Bool

    /// The argument that selects it.
    var place: String { isOnlySection ? path : "\(path):\(line)" }
  }
  private(set) var entries: [Entry] = []
  /// The mistakes of scripts that would not run, as printed.
  package private(set) var mistakes: [String] = []

  /// Whether a text can be a tag.
  package static func isTag(_ text: String) -> Bool { Directive.isTag(text) }

  package var isEmpty: Bool { entries.isEmpty && mistakes.isEmpty }

  package init(
    _ jobs: [TestJob], filter: SectionFilter, commands: CommandTable = .replay
  ) {
    for job in jobs { add(job, filter, commands) }
  }

  private mutating func add(_ job: TestJob, _ filter: SectionFilter, _ commands: CommandTable) {
    let script: ReplayScript
    do throws(SourceError) {
      let text = try TextFile.read(job.path, cancellation: Cancellation())
      script = ReplayScript(text, path: job.path, commands: commands)
    } catch {
      mistakes += FileOutcome(unreadable: job.path, error).mistakes
      return
    }
    guard script.mistakes.isEmpty else {
      mistakes += script.mistakes.map(\.plainPicture)
      return
    }
    let parts = script.parts
    for variant in script.variants {
      for part in parts where job.line.map({ part.lines.contains($0) }) ?? true {
        let title = variant.title(of: part.title)
        if filter.selects(path: job.path, title: title, tags: part.tags) {
          entries.append(
            Entry(
              path: job.path, line: part.line, title: title, tags: part.tags,
              isOnlySection: parts.count == 1 && part.title == nil))
        }
      }
    }
  }

  /// A line for each section, with the path and, if it needs one, the line that select it, its title and its tags.
  package var text: String {
    let places = entries.map { $0.place.escapingControls() }
    let width = places.map(\.count).max() ?? 0
    return zip(entries, places).map { entry, place in
      var line = place
      let tags = entry.tags.isEmpty ? "" : "  [\(entry.tags.joined(separator: ", "))]"
      let title = entry.title?.escapingControls() ?? ""
      if !title.isEmpty || !tags.isEmpty {
        line += String(repeating: " ", count: width - place.count) + "  " + title + tags
      }
      return line + "\n"
    }.joined()
  }

  /// A JSON object in a line for each section.
  package var jsonLines: String {
    entries.map { entry in
      let value: Value = [
        "event": "listed", "path": .string(entry.path),
        "section": entry.title.map(Value.string) ?? .null, "line": .integer(entry.line),
        "tags": .array(entry.tags.map(Value.string)),
      ]
      return value.json.escapingControlsInJSON() + "\n"
    }.joined()
  }
}

extension ReplayScript {
  /// A section, or a part of a lesson, with its lines.
  fileprivate struct Part {
    let title: String?
    let line: Int
    let tags: [String]
    let lines: ClosedRange<Int>
  }

  fileprivate var parts: [Part] {
    let starts =
      lesson.map { lesson in
        lesson.parts.map { (title: $0.title ?? lesson.title, line: $0.line, tags: setting.tags) }
      }
      ?? sections.filter { !$0.commands.isEmpty }
      .map { (title: $0.title, line: $0.line, tags: $0.setting.tags) }
    return starts.enumerated().map { index, start in
      let end = index + 1 < starts.count ? starts[index + 1].line - 1 : Int.max
      return Part(
        title: start.title, line: start.line, tags: start.tags,
        lines: start.line...max(start.line, end))
    }
  }
}
