package import DSInterpreter
import DataSources
import DataTables

/// Writes what came of scripts into them as what is expected (`--update`).
package struct ScriptUpdate: Sendable {
  package private(set) var changedLines = 0
  package private(set) var changedFiles = 0
  package private(set) var keptHoles = 0
  /// What was not updated, and why.
  package private(set) var refusals: [String] = []

  package init() {}

  /// `updated 3 lines in 1 file, 4 holes kept`
  package var sentence: String {
    if changedFiles == 0 { return "nothing to update" }
    let lines = "updated \(counted(changedLines, "line")) in \(counted(changedFiles, "file"))"
    return keptHoles == 0 ? lines : lines + ", \(counted(keptHoles, "hole")) kept"
  }

  /// Why nothing is updated at all where these variables are set; nil when it may be.
  package static func refusal(environment: (String) -> String?) -> String? {
    guard let value = environment("CI"), !value.isEmpty, value != "false", value != "0" else {
      return nil
    }
    return "nothing is updated where CI is set: what is expected there was decided before"
  }

  /// Updates the script of an outcome, through a file beside it that then takes its name.
  ///
  /// Nothing is written when a command crashed, took too long, missed its cassette or broke what holds
  /// of every source; when the script is another one than was run; and when the result would not parse.
  package mutating func update(_ outcome: FileOutcome, commands: CommandTable = .recording) {
    let failures = outcome.failures
    guard outcome.isParsed, !failures.isEmpty else { return }
    if let grave = failures.first(where: \.kind.forbidsUpdate) {
      refuse(outcome, "line \(grave.line): \(grave.message)")
      return
    }
    let corrections = failures.compactMap(\.correction)
    for failure in failures where failure.correction == nil {
      refuse(outcome, "line \(failure.line): \(failure.message)")
    }
    if corrections.isEmpty { return }
    do throws(UpdateError) {
      changedFiles += try write(corrections, of: outcome, commands)
      changedLines += corrections.reduce(0) { $0 + $1.changedLines }
      keptHoles += corrections.reduce(0) { $0 + $1.keptHoles }
    } catch {
      refuse(outcome, error.message)
    }
  }

  private mutating func refuse(_ outcome: FileOutcome, _ reason: String) {
    refusals.append("\(outcome.path) was not updated: \(reason)")
  }

  /// - Returns: how many files are others now.
  private func write(
    _ corrections: [Correction], of outcome: FileOutcome, _ commands: CommandTable
  ) throws(UpdateError) -> Int {
    let lock = try FileLock(outcome.path)
    defer { lock.release() }
    let script = try Self.read(outcome.path, commands)
    guard script.stamp == outcome.stamp else { throw .changed }
    let text = script.text(after: corrections.flatMap(\.edits))
    if let mistake = ReplayScript(text, path: outcome.path, commands: commands).mistakes.first {
      throw .unreadable(mistake.message)
    }
    let sides = try SideFileUpdate(corrections.flatMap(\.files), of: script)
    defer { sides.release() }
    var texts = sides.texts
    if corrections.contains(where: { !$0.edits.isEmpty }) { texts.append((outcome.path, text)) }
    try Self.replace(texts)
    return texts.count
  }

  /// All of them or none, as long as nothing goes wrong between two renames.
  private static func replace(_ texts: [(path: String, text: String)]) throws(UpdateError) {
    var files: [ReplacedFile] = []
    defer { for file in files { file.discard() } }
    for (path, text) in texts { files.append(try ReplacedFile(text, for: path)) }
    while let file = files.first {
      try file.take()
      files.removeFirst()
    }
  }

  private static func read(
    _ path: String, _ commands: CommandTable
  ) throws(UpdateError) -> ReplayScript {
    do throws(SourceError) {
      let text = try TextFile.read(path, cancellation: Cancellation())
      return ReplayScript(text, path: path, commands: commands)
    } catch {
      throw .io(Diagnostic(facts: error).message)
    }
  }
}

/// Why a script was not updated.
enum UpdateError: Error {
  case changed
  case locked
  case unreadable(String)
  case io(String)
  /// Of a file beside the script.
  case changedFile(String)
  case lockedFile(String)
  case sharedFile(String, lines: [Int])

  var message: String {
    switch self {
    case .changed: "it changed since it was run; run the test again"
    case .locked: "another update of it is under way"
    case .unreadable(let reason): "it would not parse then: \(reason)"
    case .io(let reason): reason
    case .changedFile(let path): "`\(path)` changed since it was read; run the test again"
    case .lockedFile(let path): "another update of `\(path)` is under way"
    case .sharedFile(let path, let lines):
      "`\(path)` would be wrong for another command: lines "
        + lines.map(String.init).joined(separator: ", ") + " name it; give each its own file"
    }
  }
}

extension CommandOutcome.Kind {
  /// Whether what came of the whole script cannot be trusted.
  fileprivate var forbidsUpdate: Bool {
    switch self {
    case .crash, .timeout, .cassette, .invariant, .limit: true
    case .mismatch, .error, .expectation, .file, .unexpectedPass: false
    }
  }
}
