/// TOML 1.0: a document is one record, or the rows within it.
struct TOMLFormat: TableFormat {
  let names = ["toml"]
  let extensions = ["toml"]
  let mediaTypes = ["application/toml"]
  let options: [ReadOption] = [.keyPath, .rows, .encoding]
  let allowsEmptyFile = true

  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    let lines = SampleLines(sample, comments: "#").lines.map { SampleLines.content(of: $0) }
    // Excludes most other texts quickly, and JSON arrays, which may look like headers.
    guard let pair = lines.first(where: { $0.first != UInt8(ascii: "[") }),
      pair.contains(UInt8(ascii: "="))
    else { return .ifNamed }
    return Self.parses(text, isWhole: sample.isWhole) ? .likely : .ifNamed
  }

  /// Whether the text, up to its last header if it is cut, is TOML with at least one key.
  private static func parses(_ text: [UInt8], isWhole: Bool) -> Bool {
    var end = text.count
    if !isWhole {
      let starts = text.indices.dropFirst().filter {
        text[$0] == UInt8(ascii: "[") && text[$0 - 1] == 0x0A
      }
      guard let last = starts.last else { return false }
      end = last
    }
    let content = try? TOMLReader.read(
      Array(text[..<end]), limits: ReadLimits(), cancellation: Cancellation())
    guard case .record(let record)? = content?.value else { return false }
    return record.count > 0
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withWholeText { text in
      var document = try TOMLReader.read(
        text, limits: input.options.limits, cancellation: input.cancellation)
      // A document without keys has no rows, as in YAML and INI.
      if case .record(let record) = document.value, record.count == 0 { document.value = [] }
      return try document.table("TOML", notes: [], request: input.request)
    }
  }
}
