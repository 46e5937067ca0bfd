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
    Setting(
      Label("quote", .character, "one character around fields, or none", example: "none"),
      \.quote, default: nil
    ) { value, session in
      let text = try await value.string(in: &session)
      return text == "none" ? QuoteCharacter.none : .character(try value.character(text))
    },
    Setting(
      Label(
        "escape", .character, "one character before quotes and delimiters in fields",
        example: "\"\\\\\""),
      \.escape, default: nil
    ) { value, session in try value.character(try await value.string(in: &session)) },
    Setting(
      Label("skip", .nonNegativeInteger, "number of lines before the table", example: "3"),
      \.skippedLines, default: nil
    ) { value, _ in try value.integer() },
    Setting(
      list: Label(
        "keys", .list(.string), "keys of a file without a header", example: "[code, name]")
    ) { values, options, session in options.keys = try await strings(values, in: &session) },
    Setting(
      Label(
        "header", .boolean, "whether the first line has the keys, which `keys:` replaces",
        example: "false"),
      \.hasHeader, default: nil
    ) { value, _ in try value.boolean() },
    Setting(types, \.types, default: defaults.types) { value, _ in try columnTypes(value) },
    Setting(
      list: Label(
        "nulls", .list(.string), "words that mean null, like an empty field", example: "NA, \"-\"")
    ) { values, options, session in
      options.nulls = try await strings(values, in: &session) ?? []
    },
    Setting(
      Label("comment", .string, "prefix of lines to skip", example: "\"#\""), \.commentPrefix,
      default: nil
    ) { value, session in try await value.string(in: &session) },
    Setting(
      Label("encoding", .choice(encodings), "character encoding", example: "UTF-8"), \.encoding,
      default: nil
    ) { value, session in try await encoding(value, in: &session) },
    Setting(
      Label("strict", .boolean, "true to fail at the first row with an error", example: "true"),
      \.isStrict, default: defaults.isStrict
    ) { value, _ in try value.boolean() },
    Setting(
      Label(
        "maxRow", .nonNegativeInteger, "maximum number of bytes in a row (64 MiB)",
        example: "1000000"),
      \.limits.row, default: defaults.limits.row
    ) { value, _ in try value.integer() },
    Setting(
      Label("maxDepth", .nonNegativeInteger, "maximum depth of nested values (512)", example: "64"),
      \.limits.depth, default: defaults.limits.depth
    ) { value, _ in try value.integer() },
  ]

  static let types = Label(
    "types", .record(of: .choice(typeNames)), "types of keys, in place of the detected types",
    example: "{zip: string}")

  private static let defaults = ReadOptions()
  private static let formats = Choices(
    "format", TableFormats.all.compactMap { $0.names.first },
    aliases: TableFormats.all.flatMap { $0.names.dropFirst() })
  private static let encodings = Choices(
    "encoding", ReadOptions.encodings, accepting: { ReadOptions.isEncoding($0) })
  private static let typeNames = Choices("type", ColumnType.self)

  /// The strings of the arguments; nil if `values` is nil.
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
  func span(ofType key: String) -> Span? {
    self[ReadSettings.types]?.entries?.first { $0.key.text == key }?.key.span
  }
}
