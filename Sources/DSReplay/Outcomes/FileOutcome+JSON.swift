package import DataTables

extension FileOutcome {
  /// The outcome as one line of JSON, without its end.
  package var json: String { value.json }

  /// - Returns: nil for what ``json`` did not write.
  package init?(json: String) {
    guard let value = try? Value(json: json) else { return nil }
    self.init(value)
  }

  /// For programs: `{"path": …, "sections": [{"title": …, "failures": […]}]}`.
  package var value: Value {
    [
      "path": .string(path), "mistakes": .array(mistakes.map(Value.string)),
      "stamp": stamp.value, "sections": .array(sections.map(\.value)),
    ]
  }

  package init?(_ value: Value) {
    guard let path = value["path"]?.text, let mistakes = value["mistakes"]?.texts,
      let stamp = value["stamp"].flatMap({ FileStamp($0) }),
      let sections = value["sections"]?.all(SectionOutcome.init)
    else { return nil }
    self.init(path: path)
    self.mistakes = mistakes
    self.stamp = stamp
    self.sections = sections
  }
}

extension SectionOutcome {
  var value: Value {
    [
      "title": title.map(Value.string) ?? .null, "line": .integer(line),
      "status": .string(status.rawValue), "reason": .string(reason),
      "passed": .integer(passedCommands), "skipped": .integer(skippedCommands),
      "notRun": .integer(notRunCommands), "nanoseconds": .integer(nanoseconds),
      "failures": .array(failures.map(\.value)),
    ]
  }

  init?(_ value: Value) {
    guard let line = value["line"]?.int,
      let status = value["status"]?.text.flatMap(Status.init(rawValue:)),
      let reason = value["reason"]?.text, let passed = value["passed"]?.int,
      let skipped = value["skipped"]?.int, let notRun = value["notRun"]?.int,
      let nanoseconds = value["nanoseconds"]?.int,
      let failures = value["failures"]?.all(CommandOutcome.init)
    else { return nil }
    self.init(title: value["title"]?.text, line: line)
    self.status = status
    self.reason = reason
    self.failures = failures
    passedCommands = passed
    skippedCommands = skipped
    notRunCommands = notRun
    self.nanoseconds = nanoseconds
  }
}

extension CommandOutcome {
  var value: Value {
    [
      "line": .integer(line), "kind": .string(kind.rawValue), "message": .string(message),
      "picture": .array(picture.map(Value.string)), "correction": correction?.value ?? .null,
    ]
  }

  init?(_ value: Value) {
    guard let line = value["line"]?.int,
      let kind = value["kind"]?.text.flatMap(Kind.init(rawValue:)),
      let message = value["message"]?.text, let picture = value["picture"]?.texts
    else { return nil }
    self.init(line: line, kind: kind, message: message)
    self.picture = picture
    if let correction = value["correction"], correction != .null {
      guard let correction = Correction(correction) else { return nil }
      self.correction = correction
    }
  }
}

extension Correction {
  var value: Value {
    [
      "changed": .integer(changedLines), "kept": .integer(keptHoles),
      "files": .array(files.map(\.value)),
      "edits": .array(
        edits.map { edit in
          [
            "from": .integer(edit.lines.lowerBound), "to": .integer(edit.lines.upperBound),
            "lines": .array(edit.replacement.map(Value.string)),
          ]
        }),
    ]
  }

  init?(_ value: Value) {
    guard let changed = value["changed"]?.int, let kept = value["kept"]?.int,
      let files = value["files"]?.all(File.init), let edits = value["edits"]?.all(Edit.init)
    else { return nil }
    self.init(edits: edits, files: files, changedLines: changed, keptHoles: kept)
  }
}

extension Correction.File {
  fileprivate var value: Value {
    ["path": .string(path), "stamp": stamp?.value ?? .null, "text": .string(text)]
  }

  fileprivate init?(_ value: Value) {
    guard let path = value["path"]?.text, let text = value["text"]?.text,
      let stamp = value["stamp"]
    else { return nil }
    self.init(path: path, stamp: FileStamp(stamp), text: text)
    if stamp != .null, self.stamp == nil { return nil }
  }
}

extension FileStamp {
  fileprivate var value: Value {
    ["size": .integer(size), "digest": .string(String(digest, radix: 16))]
  }

  fileprivate init?(_ value: Value) {
    guard let size = value["size"]?.int,
      let digest = value["digest"]?.text.flatMap({ UInt64($0, radix: 16) })
    else { return nil }
    self.init(size: size, digest: digest)
  }
}

extension Correction.Edit {
  fileprivate init?(_ value: Value) {
    guard let from = value["from"]?.int, let to = value["to"]?.int, from <= to,
      let lines = value["lines"]?.texts
    else { return nil }
    self.init(lines: from..<to, replacement: lines)
  }
}

extension Value {
  fileprivate subscript(key: String) -> Value? {
    if case .record(let record) = self { record[key] } else { nil }
  }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var texts: [String]? { all(\.text) }

  fileprivate var int: Int? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The elements of an array; nil when one of them is not what `read` takes.
  fileprivate func all<Element>(_ read: (Value) -> Element?) -> [Element]? {
    guard case .array(let values) = self else { return nil }
    let elements = values.compactMap(read)
    return elements.count == values.count ? elements : nil
  }
}
