import DataTables

/// The labels of `load` that say how a file is read.
struct ReadOptionArguments {
  private let labels: [String: Argument]
  private let nulls: [Argument]
  private let keys: [Argument]?

  init(parsing arguments: Arguments) throws {
    var labels: [String: Argument] = [:]
    for label in LoadCommand.labels where !["name", "nulls", "keys"].contains(label.name) {
      labels[label.name] = try arguments.label(label.name)
    }
    self.labels = labels
    nulls = arguments.groups("nulls")?.flatMap { $0 } ?? []
    keys = arguments.groups("keys")?.flatMap { $0 }
  }

  func options(in session: inout Session) async throws -> ReadOptions {
    var options = ReadOptions()
    options.format = try format()
    options.delimiter = try await delimiter(in: &session)
    options.encoding = try await encoding(in: &session)
    options.commentPrefix = try await labels["comment"]?.string(in: &session)
    for argument in nulls.flatMap({ $0.elements ?? [$0] }) {
      options.nulls.append(try await argument.string(in: &session))
    }
    if let keys {
      var names: [String] = []
      for argument in keys.flatMap({ $0.elements ?? [$0] }) {
        names.append(try await argument.string(in: &session))
      }
      options.keys = names
      // Whoever names the keys of a file has none in it, unless told.
      options.hasHeader = false
    }
    if let header = labels["header"] { options.hasHeader = try header.bool() }
    if let types = labels["types"] { options.types = try Self.types(types) }
    options.isStrict = try labels["strict"]?.bool() ?? false
    if let most = labels["maxRow"] { options.limits.row = try most.natural() }
    if let most = labels["maxDepth"] { options.limits.depth = try most.natural() }
    return options
  }

  private func format() throws -> String? {
    try labels["format"]?.choice(of: TableFormats.all.flatMap { $0.names }, for: "format")
  }

  private func encoding(in session: inout Session) async throws -> String? {
    guard let argument = labels["encoding"] else { return nil }
    let name = try await argument.string(in: &session)
    if ReadOptions.isEncoding(name) { return name }
    let names = ReadOptions.encodings
    throw argument.error(
      .badArgument, "no encoding is called `\(name)`; there are \(names.joined(separator: ", "))",
      suggestion: Suggestion.nearest(to: name, among: names))
  }

  /// Where `types:` tells the type of a key.
  func place(ofType key: String) -> Span? {
    guard case .atom(let atom)? = labels["types"]?.form, case .record(let pairs) = atom.kind else {
      return nil
    }
    return pairs.first { $0.key.text == key }?.key.span
  }

  private func delimiter(in session: inout Session) async throws -> UInt8? {
    guard let argument = labels["delimiter"] else { return nil }
    let text = try await argument.string(in: &session)
    if text == "tab" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first else {
      throw argument.error(.badArgument, "a delimiter is one ASCII character: `delimiter: \";\"`")
    }
    return byte
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
