import DataTables

/// The labels of `load` that say how a file is read.
struct ReadOptionArguments {
  private static let formats = TableFormats.all.compactMap { $0.names.first }
  static let labels = [
    Label("format", formats.joined(separator: " "), example: "csv", completion: .words(formats)),
    Label("delimiter", "one character between fields", example: "\";\""),
    Label(
      "header", "false when the first line has no keys", example: "false",
      completion: .words(["true", "false"])),
    Label("keys", "the keys of a file without a header", example: "[code, name]"),
    Label("types", "what keys are read as, whatever they look like", example: "{zip: string}"),
    Label("nulls", "words that stand for null", example: "NA, \"-\""),
    Label("comment", "lines that begin so are left out", example: "\"#\""),
    Label("encoding", "the encoding of the text", example: "UTF-8"),
    Label(
      "strict", "true fails the load at the first row that is wrong", example: "true",
      completion: .words(["true", "false"])),
    Label("maxRow", "the most bytes of a row", example: "1000000"),
    Label("maxDepth", "the most levels of nested values", example: "512"),
  ]

  private let labels: [String: Argument]
  private let nulls: [Argument]?
  private let keys: [Argument]?

  init(parsing arguments: Arguments) throws {
    var labels: [String: Argument] = [:]
    for label in Self.labels where !["nulls", "keys"].contains(label.name) {
      labels[label.name] = try arguments.label(label.name)
    }
    self.labels = labels
    nulls = arguments.groups("nulls")?.flatMap { $0 }
    keys = arguments.groups("keys")?.flatMap { $0 }
  }

  /// The options, those that are not given as they were; `null` is what they are unless given.
  func options(
    changing old: ReadOptions, in session: inout Session
  ) async throws -> ReadOptions {
    let usual = ReadOptions()
    var options = old
    if let keys {
      options.keys = try await Self.strings(keys, in: &session)
      // Whoever names the keys of a file has none in it, unless told.
      options.hasHeader = options.keys == nil
    }
    if let nulls { options.nulls = try await Self.strings(nulls, in: &session) ?? [] }
    for (name, argument) in labels.sorted(by: { $0.key < $1.key }) {
      try await Self.take(name, argument.isNull ? nil : argument, usual, &options, &session)
    }
    return options
  }

  /// Takes one label, nil for what is usual.
  private static func take(
    _ name: String, _ argument: Argument?, _ usual: ReadOptions, _ options: inout ReadOptions,
    _ session: inout Session
  ) async throws {
    switch name {
    case "format":
      options.format = try argument?.choice(
        of: TableFormats.all.flatMap { $0.names }, for: "format")
    case "delimiter": options.delimiter = try await argument?.delimiter(in: &session)
    case "encoding": options.encoding = try await argument?.encoding(in: &session)
    case "comment": options.commentPrefix = try await argument?.string(in: &session)
    case "header": options.hasHeader = try argument?.bool() ?? usual.hasHeader
    case "types": options.types = try argument.map(types) ?? usual.types
    case "strict": options.isStrict = try argument?.bool() ?? usual.isStrict
    case "maxRow": options.limits.row = try argument?.natural() ?? usual.limits.row
    case "maxDepth": options.limits.depth = try argument?.natural() ?? usual.limits.depth
    default: break
    }
  }

  /// A list of words, in brackets or with commas; nil for `null`.
  private static func strings(
    _ arguments: [Argument], in session: inout Session
  ) async throws -> [String]? {
    if arguments.count == 1, arguments[0].isNull { return nil }
    var strings: [String] = []
    for argument in arguments.flatMap({ $0.elements ?? [$0] }) {
      strings.append(try await argument.string(in: &session))
    }
    return strings
  }
  /// Where `types:` tells the type of a key.
  func place(ofType key: String) -> Span? {
    guard case .atom(let atom)? = labels["types"]?.form, case .record(let pairs) = atom.kind else {
      return nil
    }
    return pairs.first { $0.key.text == key }?.key.span
  }

  private static func types(_ argument: Argument) throws -> [String: ColumnType] {
    guard case .atom(let atom) = argument.form, case .record(let pairs) = atom.kind else {
      throw argument.error(.badArgument, "types are told by key: `types: {zip: string}`")
    }
    var types: [String: ColumnType] = [:]
    for (key, value) in pairs {
      let word = try Argument(form: .atom(value), span: value.span)
        .choice(of: ColumnType.allCases.map(\.rawValue), for: "type")
      types[key.text] = ColumnType(rawValue: word)
    }
    return types
  }
}

extension Argument {
  fileprivate func encoding(in session: inout Session) async throws -> String {
    let name = try await string(in: &session)
    if ReadOptions.isEncoding(name) { return name }
    let names = ReadOptions.encodings
    throw error(
      .badArgument, "no encoding is called `\(name)`; there are \(names.joined(separator: ", "))",
      suggestion: Suggestion.nearest(to: name, among: names))
  }

  fileprivate func delimiter(in session: inout Session) async throws -> UInt8 {
    let text = try await string(in: &session)
    if text == "tab" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first else {
      throw error(.badArgument, "a delimiter is one ASCII character: `delimiter: \";\"`")
    }
    return byte
  }
}
