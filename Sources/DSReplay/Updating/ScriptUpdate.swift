package import DSInterpreter
import DataSources
import DataTables
import DisplayText

/// Writes the actual output into scripts as expectations (`--update`).
package struct ScriptUpdate: Sendable {
  package private(set) var changedLines = 0
  package private(set) var changedFiles = 0
  package private(set) var keptHoles = 0
  package private(set) var lostHoles = 0
  /// Messages about scripts that were not updated.
  package private(set) var refusals: [String] = []
  private var refusalsSoFar: Set<String> = []
  /// The changes as a patch, if they are not written.
  package private(set) var patch = ""
  private let writes: Bool
  /// The scripts of the run.
  var users = SideFileUsers()

  /// - Parameter writes: whether files are changed; otherwise ``patch`` has the changes.
  package init(writes: Bool = true) { self.writes = writes }

  /// `updated 3 lines in 1 file, 4 holes kept, 1 hole replaced by text`
  package var sentence: String {
    if changedFiles == 0 { return "nothing to update" }
    let verb = writes ? "updated" : "would update"
    let lines = "\(verb) \(counted(changedLines, "line")) in \(counted(changedFiles, "file"))"
    let kept = keptHoles == 0 ? "" : ", \(counted(keptHoles, "hole")) kept"
    let lost = lostHoles == 0 ? "" : ", \(counted(lostHoles, "hole")) replaced by actual text"
    return lines + kept + lost
  }

  /// The reason why updates are refused in an environment, as in continuous integration; nil if
  /// they are allowed.
  package static func refusal(environment: (String) -> String?) -> String? {
    guard let value = environment("CI"), !value.isEmpty, value != "false", value != "0" else {
      return nil
    }
    return "updates are disabled where CI is set; update elsewhere and commit the result"
  }

  /// Updates the script of an outcome, through a temporary file and a rename.
  ///
  /// Nothing is written after a crash, a timeout, a request missing from a cassette, a violated
  /// invariant or output over the limit, if the script has changed since it was run, or if the
  /// result would not parse.
  package mutating func update(_ outcome: FileOutcome, commands: CommandTable = .replay) {
    guard canUpdate(outcome) else { return }
    apply(outcome.failures.compactMap(\.correction), of: outcome, commands: commands)
  }

  /// Whether some of the failures of an outcome can be corrected; otherwise, the reasons are among the
  /// refusals.
  package mutating func canUpdate(_ outcome: FileOutcome) -> Bool {
    let failures = outcome.failures
    guard outcome.isParsed, !failures.isEmpty else { return false }
    if let serious = failures.first(where: \.kind.forbidsUpdate) {
      refuse(outcome, serious.placedMessage)
      return false
    }
    if failures.contains(where: { $0.correction != nil }) { return true }
    for failure in failures { refuse(outcome, failure.placedMessage) }
    return false
  }

  /// Writes corrections of a script, all or none.
  package mutating func apply(
    _ corrections: [Correction], of outcome: FileOutcome, commands: CommandTable = .replay
  ) {
    let uncorrected = outcome.failures.filter { $0.correction == nil }
    do throws(UpdateError) {
      changedFiles += try write(corrections, of: outcome, commands)
      for failure in uncorrected {
        let place = failure.place(in: outcome.path)
        add(refusal: "\(place.path):\(place.line) was not updated: \(failure.message)")
      }
      changedLines += corrections.reduce(0) { $0 + $1.changedLines }
      keptHoles += corrections.reduce(0) { $0 + $1.keptHoles }
      lostHoles += corrections.reduce(0) { $0 + $1.lostHoles }
    } catch {
      refuse(outcome, error.message)
    }
  }

  mutating func refuse(_ outcome: FileOutcome, _ reason: String) {
    add(refusal: "\(outcome.path) was not updated: \(reason)")
  }

  /// Adds the mistakes of a script that does not parse.
  mutating func refuseMistakes(of outcome: FileOutcome) {
    for mistake in outcome.mistakes { add(refusal: mistake) }
  }

  /// Adds a message, once for all runs of a script.
  private mutating func add(refusal: String) {
    let refusal = refusal.escapingControls(keepsLines: true)
    if refusalsSoFar.insert(refusal).inserted { refusals.append(refusal) }
  }

  /// - Returns: the number of changed files.
  private mutating func write(
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
    let sides = try SideFileUpdate(
      corrections.flatMap(\.files), of: script, inputs: outcome.inputs, users)
    defer { sides.release() }
    var texts = sides.texts
    if corrections.contains(where: { !$0.edits.isEmpty }) { texts.append((outcome.path, text)) }
    if writes {
      try Self.replace(texts)
    } else {
      for (path, text) in texts {
        let old = try? TextFile.read(path, cancellation: Cancellation())
        patch += UnifiedDiff(path: path, from: old, to: text).text
      }
    }
    return texts.count
  }

  /// Replaces all files or none, unless an error occurs between two renames.
  private static func replace(_ texts: [(path: String, text: String)]) throws(UpdateError) {
    var files: [ReplacedFile] = []
    defer { for file in files { file.discard() } }
    for (path, text) in texts { files.append(try ReplacedFile(text, for: path)) }
    while let file = files.first {
      try file.replaceTarget()
      files.removeFirst()
    }
  }

  static func read(
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

/// The reason why a script was not updated.
enum UpdateError: Error {
  case changed
  case locked
  case unreadable(Diagnostic)
  case otherCommands
  case io(String)
  /// Errors of a side file.
  case changedFile(String)
  case lockedFile(String)
  case sharedFile(String, lines: [Int])
  case replacesScript(String)
  case replacesData(String)
  case outside(String)
  case conflict(String, with: String)

  var message: String {
    switch self {
    case .changed: "the script changed since it was run; run the test again"
    case .locked: "another update of the script is in progress"
    case .unreadable(let mistake):
      "the result would not parse: \(mistake.message); fix this line first: "
        + (mistake.place?.redactedText.text ?? "")
    case .otherCommands: "the output cannot be written without changing the commands of the script"
    case .io(let reason): reason
    case .changedFile(let path): "`\(path)` changed since it was read; run the test again"
    case .lockedFile(let path): "another update of `\(path)` is in progress"
    case .sharedFile(let path, let lines):
      "`\(path)` would be wrong for another command: lines "
        + lines.map(String.init).joined(separator: ", ") + " name it; give each its own file"
    case .replacesScript(let path):
      "`\(path)` is a script; name another file for the expected lines"
    case .replacesData(let path):
      "`\(path)` is read by a command of the script; name another file for the expected lines"
    case .outside(let path):
      "`\(path)` is neither in the folder of the script nor in the working folder; an update writes "
        + "only there"
    case .conflict(let path, let other):
      "`\(path)` would be wrong for \(other), which also names it; give each script its own file"
    }
  }
}

extension CommandFailure {
  /// The message with its line, and with its script if that is an attached one.
  fileprivate var placedMessage: String {
    origin.map { "\($0.path):\($0.line): \(message)" } ?? "line \(line): \(message)"
  }
}

extension CommandFailure.Kind {
  /// Whether the output of the whole script is unreliable.
  fileprivate var forbidsUpdate: Bool {
    switch self {
    case .crash, .timeout, .cassetteFile, .cassette, .invariant, .limit: true
    case .mismatch, .error, .expectation, .file, .unexpectedPass, .lesson, .property: false
    }
  }
}

extension ReplayScript {
  var stamp: FileDigest {
    var stamp = FileDigest()
    if hasByteOrderMark { stamp.add([0xEF, 0xBB, 0xBF]) }
    stamp.add(source.bytes)
    return stamp
  }

  /// The text of the script after edits; all other bytes are unchanged.
  ///
  /// New lines have the line end of the first line.
  func text(after edits: [Correction.Edit]) -> String {
    var bytes: [UInt8] = hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []
    var next = 1
    for edit in edits.sorted(by: Correction.Edit.precede) {
      bytes += raw(next..<max(next, edit.lines.lowerBound))
      for line in edit.replacement {
        if let last = bytes.last, last != UInt8(ascii: "\n"), last != UInt8(ascii: "\r"),
          edit.lines.lowerBound > 1
        {
          bytes += lineEnd
        }
        bytes += Array(line.utf8) + lineEnd
      }
      next = max(next, edit.lines.upperBound)
    }
    bytes += raw(next..<max(next, source.numberOfLines + 1))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Lines with their line ends.
  private func raw(_ lines: Range<Int>) -> ArraySlice<UInt8> {
    guard let first = lines.first else { return [] }
    let start = source.line(first).lowerBound
    let end =
      lines.upperBound <= source.numberOfLines
      ? source.line(lines.upperBound).lowerBound : source.bytes.count
    return source.bytes[min(start, end)..<end]
  }

  private var lineEnd: [UInt8] {
    let end = source.line(1).upperBound
    let rest = source.bytes[min(end, source.bytes.count)...]
    if rest.starts(with: "\r\n".utf8) { return Array("\r\n".utf8) }
    return rest.first == UInt8(ascii: "\r") ? [UInt8(ascii: "\r")] : [UInt8(ascii: "\n")]
  }
}

extension Correction.Edit {
  /// Lines inserted before a line precede its replacement.
  fileprivate static func precede(_ left: Self, _ right: Self) -> Bool {
    (left.lines.lowerBound, left.lines.count) < (right.lines.lowerBound, right.lines.count)
  }
}
