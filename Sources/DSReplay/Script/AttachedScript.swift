import DSInterpreter
import DataSources
import DataTables

/// A script whose commands run before or after those of a section.
struct AttachedScript: Sendable {
  enum Place: String, Sendable { case before, after }
  let place: Place
  /// The line of its directive.
  let line: Int
  private let content: Content

  /// A class, because a script contains its attached scripts.
  private final class Content: Sendable {
    let script: ReplayScript
    init(_ script: ReplayScript) { self.script = script }
  }

  var script: ReplayScript { content.script }

  init(_ place: Place, line: Int, _ script: ReplayScript) {
    self.place = place
    self.line = line
    content = Content(script)
  }
}

/// The scripts that are attached to a script and to those attached to it. Each is read once, since the
/// ways to it can be many.
final class AttachedScripts {
  private var scripts: [String: ReplayScript] = [:]
  /// The reasons why scripts cannot be attached, by their paths.
  private var failures: [String: Failure] = [:]
  /// The paths of the scripts whose mistakes were reported.
  private var reported: Set<String> = []

  struct Failure: Error {
    let message: String
    /// The mistakes in the script itself.
    var mistakes: [Diagnostic] = []
    /// The path of the script.
    var path = ""
  }

  /// The maximum nesting depth, for cycles through links with other names.
  private static let maximumDepth = 32
  /// The maximum number of scripts that run for an attached script.
  private static let maximumRuns = 1_000

  /// The script of a directive.
  ///
  /// - Parameters:
  ///   - file: the path as the directive has it; relative paths start from the folder of `path`.
  ///   - chain: the scripts to which `path` is attached, outermost first.
  ///   - commands: with the verbs that are defined above the directive.
  /// - Throws: the reason why it cannot be attached.
  func script(
    _ file: String, attachedTo path: String, _ chain: [String], _ commands: CommandTable
  ) throws(Failure) -> ReplayScript {
    let resolved = FilePath.resolve(FilePath.expandingHome(file), in: FilePath.folder(of: path))
    let key = Self.identity(resolved)
    if let known = scripts[key] { return known }
    if let failure = failures[key] { throw failure }
    do throws(Failure) {
      let script = try read(resolved, as: file, attachedTo: chain + [path], commands)
      scripts[key] = script
      return script
    } catch {
      var failure = error
      failure.path = key
      failures[key] = failure
      throw failure
    }
  }

  /// The mistakes in a script itself, the first time that they are reported.
  func unreportedMistakes(of failure: Failure) -> [Diagnostic] {
    failure.mistakes.isEmpty || !reported.insert(failure.path).inserted ? [] : failure.mistakes
  }

  private func read(
    _ resolved: String, as file: String, attachedTo own: [String], _ commands: CommandTable
  ) throws(Failure) -> ReplayScript {
    if let first = own.firstIndex(where: { Self.identity($0) == Self.identity(resolved) }) {
      let folder = FilePath.folder(of: own[0])
      let names = (own[first...] + [resolved]).map { FilePath.relative($0, to: folder) }
      throw Failure(message: "`\(file)` would run itself: \(names.joined(separator: " → "))")
    }
    guard own.count < Self.maximumDepth else {
      throw Failure(
        message: "`\(file)` is attached more than \(Self.maximumDepth) levels deep")
    }
    do throws(TableError) {
      try SafeMode.checkReading(resolved)
      // Reading a pipe might not end.
      try RegularFile.check(resolved, named: file)
    } catch {
      throw Failure(message: error.message)
    }
    let text: String
    do throws(SourceError) {
      text = try TextFile.read(resolved, cancellation: Cancellation())
    } catch {
      throw Failure(message: "`\(file)` cannot be read: \(Diagnostic(facts: error).message)")
    }
    let script = ReplayScript(text, path: resolved, commands: commands, attachedTo: own, self)
    if !script.mistakes.isEmpty {
      throw Failure(message: "`\(file)` does not parse", mistakes: script.mistakes)
    }
    if let directive = script.directiveOfRuns {
      throw Failure(
        message: "`\(file)` has `\(directive)`, which an attached script cannot have")
    }
    guard script.attachedRuns <= Self.maximumRuns else {
      throw Failure(
        message: "`\(file)` runs more than \(Self.maximumRuns) attached scripts; attach fewer")
    }
    return script
  }

  private static func identity(_ path: String) -> String {
    FilePath.relative(FilePath.absolute(path), to: "/")
  }
}

extension ReplayScript {
  /// A directive that determines how often the script, or a section of it, runs; nil without one.
  fileprivate var directiveOfRuns: String? {
    if lesson != nil || !marks.isEmpty { return "lesson" }
    if each != nil { return "each" }
    if !engines.isEmpty { return "matrix" }
    return sections.contains { $0.setting.property != nil } ? "property" : nil
  }

  /// The attached scripts of all sections, each once for each of its directives, without those that
  /// are attached to them.
  var attachedScripts: [AttachedScript] {
    sections.flatMap { $0.setting.before + $0.setting.after }
  }

  /// The scripts that are attached to it or to one of them, each once. Those attached to a script are
  /// before it.
  var allAttachedScripts: [ReplayScript] {
    var seen: Set<String> = []
    var scripts: [ReplayScript] = []
    addAttachedScripts(to: &scripts, &seen)
    return scripts
  }

  private func addAttachedScripts(to scripts: inout [ReplayScript], _ seen: inout Set<String>) {
    for attached in attachedScripts where seen.insert(attached.script.path).inserted {
      attached.script.addAttachedScripts(to: &scripts, &seen)
      scripts.append(attached.script)
    }
  }

  /// The files that determine the script, besides its own: attached scripts, and the folders in which
  /// files of `each` can appear.
  var dependencies: [String] {
    allAttachedScripts.map(\.path) + (each.map { $0.folders.map { $0.isEmpty ? "." : $0 } } ?? [])
  }
}
