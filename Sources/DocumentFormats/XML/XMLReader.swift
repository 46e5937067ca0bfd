import DataTables

/// Reads the rows of an XML document.
///
/// The document is streamed: memory is bounded by the rows. Without a choice of rows, the repeated
/// element is chosen from the first bytes; if all of the document leads to another choice, the
/// document is read again.
struct XMLReader {
  let bytes: any ByteStore
  /// The value of `rows:`: a name or a path, as for ``XMLRowSelection/init(_:)``.
  var rows: String?
  /// Whether a document without an element that ``rows`` names has no rows; otherwise reading fails.
  var allowsNoRows = false
  /// The value of `encoding:`.
  var encoding: String?
  var limits = ReadLimits()
  var cancellation = Cancellation()

  private static let sampleSize = 256 << 10

  /// - Throws: ``TableError``.
  func read() throws -> DocumentContent {
    let sample = try bytes.bytes(0..<min(Self.sampleSize, bytes.count))
    let encoding = XMLEncoding(sample[...], named: encoding)
    var content: DocumentContent
    if let rows {
      let builder = try build(.init(rows), encoding)
      if builder.rows.isEmpty, !allowsNoRows { throw unknown(rows, builder.paths) }
      content = builder.content()
    } else {
      content = try readRepeated(sample, encoding)
    }
    content.encoding = encoding.description
    return content
  }

  private func readRepeated(
    _ sample: [UInt8], _ encoding: XMLEncoding
  ) throws -> DocumentContent {
    var choice = XMLRowChoice(try survey(sample, encoding))
    var builder = try build(.path(choice.rows.path), encoding)
    let last = XMLRowChoice(builder.paths)
    if last.rows.path != choice.rows.path {
      builder = try build(.path(last.rows.path), encoding)
    }
    choice = last
    var content = builder.content()
    content.notes.append(choice.note(builder.paths))
    return content
  }

  /// The paths of the elements in the sample. Errors are left to the reading of the document.
  private func survey(_ sample: [UInt8], _ encoding: XMLEncoding) throws -> XMLPaths {
    let parser = try XMLParser(encoding: encoding.name, limits: limits)
    var builder = XMLRowBuilder(parser, rows: .none)
    try? sample.withUnsafeBytes { bytes in
      try parser.feed(bytes, isLast: false) { try builder.take($0) }
    }
    return builder.paths
  }

  private func build(
    _ selection: XMLRowSelection, _ encoding: XMLEncoding
  ) throws -> XMLRowBuilder {
    let parser = try XMLParser(encoding: encoding.name, limits: limits)
    var builder = XMLRowBuilder(parser, rows: selection)
    try parser.parse(bytes, cancellation: cancellation) { try builder.take($0) }
    return builder
  }

  private func unknown(_ rows: String, _ paths: XMLPaths) -> TableError {
    let choice = XMLRowChoice(paths)
    let known = ([choice.rows] + choice.others).prefix(8).map { paths.shortName(of: $0.path) }
    let list = known.map { "\(SuggestedLabels(ReadOption.rows.name, $0))" }.joined(separator: ", ")
    return .badArgument("the document has no element `\(rows)`; it has \(list)")
  }
}

extension XMLRowBuilder {
  /// The rows in their final form.
  fileprivate func content() -> DocumentContent {
    let externalReferences = parser.externalReferences
    var rows = rows
    XMLAlignment(paths).align(&rows, nodes: rowNodes)
    var content = DocumentContent(rows: rows, lines: lines)
    if externalReferences > 0 {
      content.notes.append(
        externalReferences == 1
          ? "1 reference to an entity that is not in the file is left out"
          : "\(externalReferences) references to entities that are not in the file are left out")
    }
    return content
  }
}

extension XMLRowChoice {
  private static let maxNamed = 4

  /// The choice and the alternatives, for the load report.
  fileprivate func note(_ paths: XMLPaths) -> String {
    guard isRepeated else { return "no element is repeated: the root element is the row" }
    let names = leftOut.prefix(Self.maxNamed).map { "`\($0.last ?? "")`" }
    let without =
      names.isEmpty
      ? ""
      : ", without \(names.joined(separator: ", "))" + (leftOut.count > names.count ? ", …" : "")
    let chosen = "each row is an element `\(rows.name)`\(without)"
    let alternatives = (others + leftOutRecords).prefix(3)
    if alternatives.isEmpty { return chosen }
    let list = alternatives.map {
      "\(SuggestedLabels("rows", paths.shortName(of: $0.path))) selects \($0.count)"
    }
    return "\(chosen); \(list.joined(separator: ", "))"
  }
}

extension XMLPaths {
  /// The shortest value of `rows:` that selects only a path.
  func shortName(of path: [String]) -> String {
    guard let name = path.last else { return "" }
    let hasOneName =
      nodes.indices.count { $0 > 0 && keys[nodes[$0].key] == name && nodes[$0].isElement } == 1
    return hasOneName ? name : "/" + path.joined(separator: "/")
  }
}
