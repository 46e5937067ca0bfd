/// The keys of `ignore:` directives that the compared results of a run have had.
struct IgnoredKeys {
  /// A key of a directive at a line.
  struct Entry: Hashable {
    let line: Int
    let key: String
  }
  private var found: Set<Entry> = []

  /// Adds a command whose output was compared.
  mutating func add(_ command: ReplayCommand, _ captured: CapturedOutput) {
    for entry in command.setting.ignored where !found.contains(entry) && captured.hasKey(entry.key)
    {
      found.insert(entry)
    }
  }

  /// The keys that no compared result of their commands has, with the sections of these. Unknown for
  /// commands that did not run or failed.
  /// - Parameter passed: the first lines of the commands that passed.
  fileprivate func missing(
    in script: ReplayScript, passed: Set<Int>
  ) -> [(section: Int, entry: Entry)] {
    var known = found
    var missing: [(section: Int, entry: Entry)] = []
    for command in script.commands where !passed.contains(command.lines.lowerBound) {
      known.formUnion(command.setting.ignored)
    }
    for (index, section) in script.sections.enumerated() {
      for entry in script.commands[section.commands].flatMap(\.setting.ignored)
      where known.insert(entry).inserted {
        missing.append((index, entry))
      }
    }
    return missing
  }
}

extension ReplaySetting {
  fileprivate var ignored: [IgnoredKeys.Entry] {
    ignoredKeys.compactMap { key in
      linesOfIgnoredKeys[key].map { IgnoredKeys.Entry(line: $0, key: key) }
    }
  }
}

extension ScriptRun {
  /// The ignored keys that occur in no compared result, and may be misspelled; empty if only a part of
  /// the script is tested.
  var missingIgnoredKeys: [MissingKey] {
    // Another section may have a result with it.
    guard environment.filter.selectsAll, environment.onlyLine == nil else { return [] }
    return ignoredKeys.missing(in: script, passed: Set(passedLines)).map { section, entry in
      let message =
        "no compared result has a column or a key `\(entry.key)`; remove it, or correct its name"
      var failure = CommandFailure(line: entry.line, kind: .mismatch, message: message)
      failure.picture = FailurePicture.lines(
        ofDirectiveAt: entry.line, in: script, section: section, note: message, rerun: rerun)
      return MissingKey(section: section, failure: failure)
    }
  }
}

extension CapturedOutput {
  /// Whether the output has a column or a record with a key.
  fileprivate func hasKey(_ key: String) -> Bool {
    let headers = tables.lazy.compactMap { [output] table in table.header(in: output) }
    if headers.contains(where: { $0.columns.names.contains(key) }) { return true }
    let ignored = IgnoredValues([key])
    return records.contains { records in
      output[records.lines].contains { ignored.masked($0, records.form) != $0 }
    }
  }
}
