import DataTables

/// Property lists: XML, binary and the older text form of OpenStep.
struct PropertyListFormat: TableFormat {
  let names = ["plist"]
  let extensions = ["plist", "strings"]
  let mediaTypes = ["application/x-plist", "application/x-apple-plist"]
  let options: [ReadOption] = [.keyPath, .rows, .encoding]
  let writing: FormatWriting? = FormatWriting(nestsSections: true, hasAnyEncoding: false) {
    layout, _ in
    PropertyListWriter(layout)
  }

  func recognize(_ sample: FormatSample) -> Recognition {
    let bytes = sample.bytes
    if PropertyListReader.form(of: bytes) != .text { return .certain }
    let text = sample.text ?? bytes
    if text.starts(with: Self.encodingComment) { return .certain }
    // Other lists in the text form have no mark.
    let first = text.first { $0 > UInt8(ascii: " ") }
    return first.map { Self.starts.contains($0) } ?? false ? .ifNamed : .impossible
  }

  /// The first line of Xcode's project files.
  private static let encodingComment = Array("// !$*UTF8*$!".utf8)
  /// A dictionary, an array, data or XML, a string, a comment.
  private static let starts = Set("{(<\"/".utf8)

  func read(_ input: FormatInput) throws -> LoadedTable {
    let form = PropertyListReader.form(of: try input.sample().bytes)
    guard form == .text else { return try table(input.bytes, form, input) }
    return try input.withText { try table($0, form, input) }
  }

  private func table(
    _ bytes: any ByteStore, _ form: PropertyListReader.Form, _ input: FormatInput
  ) throws -> LoadedTable {
    let list = try PropertyListReader(
      bytes: bytes, encoding: input.options.encoding, limits: input.options.limits,
      cancellation: input.cancellation
    ).read(form)
    var loaded = try list.document.table(
      list.form, notes: list.notes, request: input.request)
    loaded.report.encoding = list.encoding
    return loaded
  }
}
