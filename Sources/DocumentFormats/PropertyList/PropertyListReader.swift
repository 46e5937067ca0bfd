import DataTables

/// A property list as one value.
struct PropertyList {
  /// Without lines for a binary list.
  var document: LocatedDocument
  /// The form of the file as the load report shows it.
  var form: String
  var encoding = "UTF-8"
  /// Notes for the load report.
  var notes: [String] = []

  var value: Value { document.value }
}

/// Reads a property list in one of its three forms. Foundation does not read them: it crashes on
/// damaged binary lists, loses the order of keys, and needs several times as long.
struct PropertyListReader {
  let bytes: any ByteStore
  /// The value of `encoding:`, for the XML form.
  var encoding: String?
  var limits = ReadLimits()
  var cancellation = Cancellation()

  static let binaryMark = Array("bplist".utf8)
  /// The limit of nested values for readers that recurse.
  static let maxDepth = 1_024

  enum Form { case xml, binary, text }

  /// The form of a list that starts with the given bytes.
  static func form(of sample: [UInt8]) -> Form {
    if sample.starts(with: binaryMark) { return .binary }
    return MarkupStart(sample).root == "plist" ? .xml : .text
  }

  /// - Parameter form: for the text form, the bytes are UTF-8.
  /// - Throws: ``TableError``.
  func read(_ form: Form) throws -> PropertyList {
    // The other forms are held in memory as a whole.
    if form != .xml { try limits.checkDocument(size: bytes.count) }
    switch form {
    case .xml: return try readXML()
    case .binary: return try readBinary()
    case .text: return try readText()
    }
  }

  private func readXML() throws -> PropertyList {
    let sample = try bytes.bytes(0..<min(FormatSample.size, bytes.count))
    let encoding = XMLEncoding(sample[...], named: encoding)
    let parser = try XMLParser(encoding: encoding.name, limits: limits)
    var builder = XMLPropertyList(parser)
    try parser.parse(bytes, cancellation: cancellation) { try builder.take($0) }
    guard let value = builder.value else {
      throw TableError.format(
        "the property list has no value", at: TextPosition(line: builder.line))
    }
    return PropertyList(
      document: LocatedDocument(value, line: builder.line, lines: builder.lines),
      form: "property list", encoding: encoding.description, notes: builder.duplicates.notes)
  }

  private func readBinary() throws -> PropertyList {
    let list = try BinaryPropertyList(try bytes.bytes(0..<bytes.count))
    try BinaryPropertyListCheck(list, limits: limits, cancellation: cancellation).check()
    var reader = BinaryPropertyListReader(list, cancellation: cancellation)
    let value = try reader.value(list.top)
    return PropertyList(
      document: LocatedDocument(value, line: nil, lines: DocumentLines()),
      form: "binary property list", notes: reader.duplicates.notes)
  }

  private func readText() throws -> PropertyList {
    let text = try bytes.bytes(0..<bytes.count)
    try TextEncoding.checkUTF8(text)
    var reader = OpenStepReader(text, limits: limits, cancellation: cancellation)
    let (value, line) = try reader.read()
    return PropertyList(
      document: LocatedDocument(value, line: line, lines: reader.lines),
      form: "OpenStep property list",
      notes: reader.duplicates.notes + reader.surrogates.notes)
  }
}
