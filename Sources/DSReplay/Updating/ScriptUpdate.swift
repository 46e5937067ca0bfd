package import DSInterpreter
import DataSources
import DataTables

/// Writes what came of scripts into them as what is expected (`--update`).
package struct ScriptUpdate: Sendable {
  package private(set) var changedLines = 0
  package private(set) var changedFiles = 0
  package private(set) var keptHoles = 0
  package private(set) var lostHoles = 0
  /// What was not updated, and why.
  package private(set) var refusals: [String] = []

  package init() {}

  /// `updated 3 lines in 1 file, 4 holes kept, 1 hole replaced by what came`
  package var sentence: String {
    if changedFiles == 0 { return "nothing to update" }
    let lines = "updated \(counted(changedLines, "line")) in \(counted(changedFiles, "file"))"
    let kept = keptHoles == 0 ? "" : ", \(counted(keptHoles, "hole")) kept"
    let lost = lostHoles == 0 ? "" : ", \(counted(lostHoles, "hole")) replaced by what came"
    return lines + kept + lost
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
    let left = failures.filter { $0.correction == nil }
    if corrections.isEmpty {
      for failure in left { refuse(outcome, "line \(failure.line): \(failure.message)") }
      return
    }
    do throws(UpdateError) {
      changedFiles += try write(corrections, of: outcome, commands)
      refusals += left.map { "\(outcome.path):\($0.line) was left: \($0.message)" }
      changedLines += corrections.reduce(0) { $0 + $1.changedLines }
      keptHoles += corrections.reduce(0) { $0 + $1.keptHoles }
      lostHoles += corrections.reduce(0) { $0 + $1.lostHoles }
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
    let new = ReplayScript(text, path: outcome.path, commands: commands)
    if let mistake = new.mistakes.first { throw .unreadable(mistake) }
    // Data must never become a command.
    guard new.commands.map(\.text) == script.commands.map(\.text) else { throw .otherCommands }
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
  case unreadable(Diagnostic)
  case otherCommands
  case io(String)
  /// Of a file beside the script.
  case changedFile(String)
  case lockedFile(String)
  case sharedFile(String, lines: [Int])

  var message: String {
    switch self {
    case .changed: "it changed since it was run; run the test again"
    case .locked: "another update of it is under way"
    case .unreadable(let mistake):
      "it would not parse then: \(mistake.message); mend this line first: "
        + (mistake.place?.text.redactingURLs ?? "")
    case .otherCommands: "what came cannot be written without changing its commands"
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
