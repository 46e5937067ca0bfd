extension FileOutcome {
  func write(to line: inout FieldLine) {
    line.put(path)
    line.put(mistakes) { $0.put($1) }
    stamp.write(to: &line)
    line.put(sections) { $1.write(to: &$0) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    self.init(path: try fields.text())
    mistakes = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    stamp = try FileStamp(from: &fields)
    sections = try fields.array { fields throws(FieldReader.Malformed) in
      try SectionOutcome(from: &fields)
    }
  }
}

extension SectionOutcome {
  func write(to line: inout FieldLine) {
    line.put(title)
    line.put(self.line)
    line.put(status.rawValue)
    line.put(reason)
    line.put(passedCommands)
    line.put(skippedCommands)
    line.put(notRunCommands)
    line.put(nanoseconds)
    line.put(failures) { $1.write(to: &$0) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    self.init(title: try fields.optionalText(), line: try fields.int())
    guard let status = Status(rawValue: try fields.text()) else { throw FieldReader.Malformed() }
    self.status = status
    reason = try fields.text()
    passedCommands = try fields.int()
    skippedCommands = try fields.int()
    notRunCommands = try fields.int()
    nanoseconds = try fields.int()
    failures = try fields.array { fields throws(FieldReader.Malformed) in
      try CommandFailure(from: &fields)
    }
  }
}

extension CommandFailure {
  func write(to line: inout FieldLine) {
    line.put(self.line)
    line.put(kind.rawValue)
    line.put(message)
    line.put(picture) { $0.put($1) }
    line.put(correction.map { [$0] } ?? []) { $1.write(to: &$0) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    let line = try fields.int()
    guard let kind = Kind(rawValue: try fields.text()) else { throw FieldReader.Malformed() }
    self.init(line: line, kind: kind, message: try fields.text())
    picture = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    correction = try fields.array { fields throws(FieldReader.Malformed) in
      try Correction(from: &fields)
    }.first
  }
}

extension Correction {
  func write(to line: inout FieldLine) {
    line.put(changedLines)
    line.put(keptHoles)
    line.put(lostHoles)
    line.put(files) { $1.write(to: &$0) }
    line.put(edits) { line, edit in
      line.put(edit.lines.lowerBound)
      line.put(edit.lines.upperBound)
      line.put(edit.replacement) { $0.put($1) }
    }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    self.init()
    changedLines = try fields.int()
    keptHoles = try fields.int()
    lostHoles = try fields.int()
    files = try fields.array { fields throws(FieldReader.Malformed) in try File(from: &fields) }
    edits = try fields.array { fields throws(FieldReader.Malformed) in
      let (from, to) = (try fields.int(), try fields.int())
      guard from <= to else { throw FieldReader.Malformed() }
      let replacement = try fields.array { fields throws(FieldReader.Malformed) in
        try fields.text()
      }
      return Edit(lines: from..<to, replacement: replacement)
    }
  }
}

extension Correction.File {
  fileprivate func write(to line: inout FieldLine) {
    line.put(path)
    line.put(text)
    line.put(stamp.map { [$0] } ?? []) { $1.write(to: &$0) }
  }

  fileprivate init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    let (path, text) = (try fields.text(), try fields.text())
    let stamp = try fields.array { fields throws(FieldReader.Malformed) in
      try FileStamp(from: &fields)
    }
    self.init(path: path, stamp: stamp.first, text: text)
  }
}

extension FileStamp {
  fileprivate func write(to line: inout FieldLine) {
    line.put(size)
    line.put(Int(bitPattern: UInt(digest)))
  }

  fileprivate init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    size = try fields.int()
    digest = UInt64(UInt(bitPattern: try fields.int()))
  }
}
