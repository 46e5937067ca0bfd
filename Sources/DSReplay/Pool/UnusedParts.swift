import DSInterpreter
import DataSources
import DataTables

/// Finds the parts of a suite that no test of a run uses: exchanges of cassettes, side files, and checks in
/// blocks.
///
/// Only scripts that ran as a whole and passed are judged, and only files that no other script near them
/// names: a part that another test may use is not reported.
struct UnusedParts {
  /// Sorted by path and line.
  private(set) var parts: [UnusedPart] = []
  /// The scripts that were judged, by the identities of their files.
  private var judged: [String: ScriptUsage] = [:]
  /// The files that any script of the run names.
  private var namedFiles: Set<String> = []
  /// The texts of the scripts in each folder, by the identities of their files.
  private var texts: [String: [String: String]] = [:]

  init(_ results: [(job: TestJob, outcome: FileOutcome)]) {
    addFilesWithoutScripts(results.map(\.outcome))
    let ran = results.filter { $0.outcome.usage != nil }
    guard ran.contains(where: { $0.outcome.usage != ScriptUsage() }) else { return }
    var judgedPaths: [String] = []
    for (job, outcome) in ran {
      guard let usage = outcome.usage else { continue }
      namedFiles.formUnion(usage.files.map(ReportFile.identity(of:)))
      guard job.line == nil, outcome.ranCompletely else { continue }
      judged[ReportFile.identity(of: job.path)] = usage
      judgedPaths.append(job.path)
      addIdleChecks(of: usage, in: job.path)
    }
    addExchanges(of: ran.compactMap { job, outcome in outcome.usage.map { (job.path, $0) } })
    addSideFiles(of: judgedPaths)
    parts.sort { ($0.path, $0.line ?? 0) < ($1.path, $1.line ?? 0) }
  }

  /// Markdown files without a fence of a script.
  private mutating func addFilesWithoutScripts(_ outcomes: [FileOutcome]) {
    for outcome in outcomes where outcome.isParsed && !outcome.isPartial {
      guard outcome.sections.isEmpty, ScriptFence.isMarkdown(outcome.path) else { continue }
      parts.append(
        UnusedPart(
          path: outcome.path, line: nil,
          message: "it has no commands in ```ds fences, so it tests nothing"))
    }
  }

  private mutating func addIdleChecks(of usage: ScriptUsage, in path: String) {
    for line in usage.idleChecks {
      parts.append(
        UnusedPart(
          path: path, line: line,
          message: "this check never ran, because no run enters its block; remove it, or add a run "
            + "that does"))
    }
  }

  private mutating func addExchanges(of scripts: [(path: String, usage: ScriptUsage)]) {
    var cassettes: [String: (path: String, unused: Set<UnusedExchange>, folders: Set<String>)] = [:]
    for (script, usage) in scripts {
      for (path, unused) in usage.cassettes {
        let identity = ReportFile.identity(of: path)
        let home = FilePath.folder(of: path)
        // Scripts often have their cassettes in a folder beside them.
        let folders: Set = [home, FilePath.folder(of: home), FilePath.folder(of: script)]
        if let other = cassettes[identity] {
          cassettes[identity] = (
            other.path, other.unused.intersection(unused), other.folders.union(folders)
          )
        } else {
          cassettes[identity] = (path, unused, folders)
        }
      }
    }
    for (path, unused, folders) in cassettes.values
    where !unused.isEmpty && FilePath.isRegularFile(path) {
      if isNamed(path.lastPathComponent, in: folders, besides: Set(judged.keys)) { continue }
      parts += unused.map {
        UnusedPart(
          path: path, line: $0.line,
          message:
            "no test requests \($0.request); remove the exchange, or record the cassette again")
      }
    }
  }

  /// Files beside side files that look like those of a script, but that no script names.
  private mutating func addSideFiles(of paths: [String]) {
    var found: Set<String> = []
    for path in paths {
      guard let usage = judged[ReportFile.identity(of: path)], !usage.folders.isEmpty else {
        continue
      }
      let home = FilePath.folder(of: path)
      let stem = path.lastPathComponent.prefix { $0 != "." }
      let extensions = Set(usage.files.map(\.fileExtension))
      for folder in usage.folders {
        for name in Folder.names(in: folder) where extensions.contains(name.fileExtension) {
          let isOfScript =
            folder != home || ["-", ".", "_"].contains { name.hasPrefix(stem + $0) }
          let file = FilePath.resolve(name, in: folder)
          let identity = ReportFile.identity(of: file)
          guard isOfScript, !name.hasSuffix("/"), !namedFiles.contains(identity),
            found.insert(identity).inserted, !isNamed(name, in: [folder, home], besides: [])
          else { continue }
          parts.append(
            UnusedPart(
              path: file, line: nil, message: "no script has `#< \(name)`; remove the file"))
        }
      }
    }
  }

  /// Whether a script or a Markdown file in the folders contains a name.
  private mutating func isNamed(
    _ name: String, in folders: Set<String>, besides judged: Set<String>
  ) -> Bool {
    folders.contains { folder in
      scripts(in: folder).contains { !judged.contains($0.key) && $0.value.mentions(file: name) }
    }
  }

  private mutating func scripts(in folder: String) -> [String: String] {
    if let known = texts[folder] { return known }
    var found: [String: String] = [:]
    for name in Folder.names(in: folder) where name.hasSuffix(".ds") || ScriptFence.isMarkdown(name)
    {
      let path = FilePath.resolve(name, in: folder)
      found[ReportFile.identity(of: path)] =
        try? TextFile.read(path, cancellation: Cancellation())
    }
    texts[folder] = found
    return found
  }
}

extension FileOutcome {
  /// Whether all commands of the script ran and passed.
  fileprivate var ranCompletely: Bool {
    !hasFailed && !isPartial
      && sections.allSatisfy {
        $0.status == .passed && $0.skippedCommands == 0 && $0.notRunCommands == 0
      }
  }
}

extension String {
  /// Whether the name of a file occurs, not as a part of a longer name.
  fileprivate func mentions(file name: String) -> Bool {
    func isPart(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber || "_-".contains($0) } ?? false
    }
    return ranges(of: name).contains { range in
      let before = self[..<range.lowerBound].last
      // A point may end a sentence.
      let after = self[range.upperBound...].drop { $0 == "." }.first
      return !isPart(before) && before != "." && !isPart(after)
    }
  }

  /// The part after the last point of the last component of a path; empty without one.
  fileprivate var fileExtension: String {
    let name = lastPathComponent
    return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
  }
}
