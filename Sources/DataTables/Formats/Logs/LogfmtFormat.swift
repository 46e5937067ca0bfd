internal import CScan

/// Lines of keys and values: `level=info msg="a b" dur=3ms`.
struct LogfmtFormat: TableFormat {
  let names = ["logfmt"]
  let extensions = ["logfmt"]
  let mediaTypes: [String] = []
  let options = ReadOption.cellTypes + [.comment, .encoding, .strict]
  let allowsEmptyFile = true

  /// Likely if at least half of the lines have at least two keys with values, and as many of these as words.
  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    let lines = SampleLines(sample, comments: "").lines
    guard !lines.isEmpty else { return text.isEmpty ? .ifNamed : .possible }
    let found = lines.count { Self.hasPairs($0) }
    if found * 2 >= lines.count { return .likely }
    return found > 0 ? .ifNamed : .impossible
  }

  private static func hasPairs(_ line: ArraySlice<UInt8>) -> Bool {
    let padded = Array(line) + [UInt8](repeating: 0, count: 16)
    return padded.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return false }
      var scan = LogfmtScan(
        line: Line(bytes: base, start: 0, end: line.count, trueIndex: line.count), index: 0)
      var (pairs, words) = (0, 0)
      while scan.skipBlanks() {
        let key = scan.takeKey()
        let hasValue = scan.index < line.count && bytes[scan.index] == UInt8(ascii: "=")
        guard case .success = scan.takeValue(), isKey(bytes[key]) else { return false }
        if hasValue { pairs += 1 } else { words += 1 }
      }
      return pairs >= 2 && words <= pairs
    }
  }

  /// Whether bytes are such as in names of keys: `http.status`, `user-id`.
  private static func isKey(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = bytes.first else { return false }
    return
      ((first | 0x20) &- UInt8(ascii: "a") < 26 || first == UInt8(ascii: "_")
      || first == UInt8(ascii: "@"))
      && !bytes.contains { ",;(){}<>'`".utf8.contains($0) }
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      let keys = try Self.keys(of: text, input.options)
      return try LineTable(formatName: "logfmt", fields: LogfmtFields(keys: keys), keys: keys)
        .read(text, try TextSample(text, size: 64 << 10), input)
    }
  }

  /// The keys of the first lines; keys of later lines are found while the rows are.
  private static func keys(of text: any ByteStore, _ options: ReadOptions) throws -> [String] {
    let scanner = RowScanner(
      text, dialect: Dialect(lines: LogfmtFields(), comment: options.commentPrefix), columns: 0,
      limits: options.limits)
    scanner.start(0..<min(text.count, 64 << 10))
    while try scanner.next() != nil {}
    return scanner.findings.newKeys.map(\.key)
  }
}
