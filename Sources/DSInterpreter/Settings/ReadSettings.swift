import DataTables

/// The labels for how a file or a response is read.
enum ReadSettings {
  static let all: [Setting<ReadOptions>] = [
    Setting(
      Label("format", .choice(formats), example: "csv"), \.format, default: nil
    ) { value, _ in try value.choice() },
    Setting(
      Label("delimiter", .character, "one character between fields", example: "\";\""),
      \.delimiter, default: nil
    ) { value, session in try value.character(try await value.string(in: &session)) },
    // A file whose keys are given has no header, unless `header:` says otherwise.
    Setting(
      list: Label(
        "keys", .list(.string), "keys of a file without a header", example: "[code, name]")
    ) { values, options, session in
      options.keys = try await strings(values, in: &session)
      options.hasHeader = options.keys == nil
    },
    Setting(
      Label("header", .boolean, "false if the first line has no keys", example: "false"),
      \.hasHeader, default: usual.hasHeader
    ) { value, _ in try value.boolean() },
    Setting(types, \.types, default: usual.types) { value, _ in try columnTypes(value) },
    Setting(
      list: Label("nulls", .list(.string), "words that mean null", example: "NA, \"-\"")
    ) { values, options, session in
      options.nulls = try await strings(values, in: &session) ?? []
    },
    Setting(
      Label("comment", .string, "prefix of lines to skip", example: "\"#\""), \.commentPrefix,
      default: nil
    ) { value, session in try await value.string(in: &session) },
    Setting(
      Label("encoding", .choice(encodings), "encoding of the file", example: "UTF-8"), \.encoding,
      default: nil
    ) { value, session in try await encoding(value, in: &session) },
    Setting(
      Label("strict", .boolean, "true fails at the first row with an error", example: "true"),
      \.isStrict, default: usual.isStrict
    ) { value, _ in try value.boolean() },
    Setting(
      Label("maxRow", .nonNegativeInteger, "most bytes of a row", example: "1000000"),
      \.limits.row, default: usual.limits.row
    ) { value, _ in try value.integer() },
    Setting(
      Label("maxDepth", .nonNegativeInteger, "most levels of nested values", example: "512"),
      \.limits.depth, default: usual.limits.depth
    ) { value, _ in try value.integer() },
  ]

  static let types = Label(
    "types", .record(of: .choice(typeNames)), "types by key, in place of the detected ones",
    example: "{zip: string}")

  private static let usual = ReadOptions()
  private static let formats = Choices(
    "format", TableFormats.all.compactMap { $0.names.first },
    aliases: TableFormats.all.flatMap { $0.names.dropFirst() })
  private static let encodings = Choices(
    "encoding", ReadOptions.encodings, accepting: { ReadOptions.isEncoding($0) })
  private static let typeNames = Choices("type", ColumnType.self)

  /// nil for nil.
  private static func strings(
    _ values: [Argument]?, in session: inout Session
  ) async throws -> [String]? {
    guard let values else { return nil }
    var strings: [String] = []
    for value in values { strings.append(try await value.string(in: &session)) }
    return strings
  }

  private static func columnTypes(_ value: Argument) throws -> [String: ColumnType] {
    guard let entries = value.entries else {
      throw value.error(.badArgument, "`types:` must be a record such as `types: {zip: string}`")
    }
    var types: [String: ColumnType] = [:]
    for (key, type) in entries {
      types[key.text] = try Argument(type, type: .choice(typeNames)).choice()
    }
    return types
  }

  private static func encoding(_ value: Argument, in session: inout Session) async throws -> String
  {
    let name = try await value.string(in: &session)
    return ReadOptions.isEncoding(name) ? name : try value.choice()
  }
}

extension GivenSettings<ReadOptions> {
  /// The location of a key in `types:`.
  func place(ofType key: String) -> Span? {
    self[ReadSettings.types]?.entries?.first { $0.key.text == key }?.key.span
  }
}
