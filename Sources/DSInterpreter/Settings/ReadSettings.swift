import DataTables

/// The labels for how a file or a response is read: those of all formats, made from the options
/// that the formats declare, and limits.
enum ReadSettings {
  static let all: [Setting<ReadOptions>] =
    [
      Setting(
        Label("format", .choice(formats), "name of a format (help formats)", example: "csv"),
        \.format, default: nil
      ) { value, _ in try value.choice() }
    ]
    + FormatTable.standard.options.map(setting(for:))
    + [
      Setting(
        Label(
          ReadLimits.rowLabel, .nonNegativeInteger, "maximum number of bytes in a row (64 MiB)",
          example: "1000000"),
        \.limits.row, default: defaults.limits.row
      ) { value, _ in try value.integer() },
      Setting(
        Label(
          ReadLimits.depthLabel, .nonNegativeInteger, "maximum depth of nested values (512)",
          example: "64"),
        \.limits.depth, default: defaults.limits.depth
      ) { value, _ in try value.integer() },
      Setting(
        Label(
          ReadLimits.documentLabel, .nonNegativeInteger,
          "maximum bytes of a document held in memory (256 MiB)",
          example: "1000000"),
        \.limits.document, default: defaults.limits.document
      ) { value, _ in try value.integer() },
      Setting(
        Label(
          ReadLimits.decompressedSizeLabel, .nonNegativeInteger,
          "maximum size after decompression (1 GiB or more)",
          example: "4000000000"),
        \.limits.decompressedSize, default: defaults.limits.decompressedSize
      ) { value, _ in try value.integer() },
    ]

  /// The settings that determine which rows are read.
  static let rows = all.filter { rowLabels.contains($0.label.name) }
  /// The settings that determine how rows are read.
  static let others = all.filter { !rowLabels.contains($0.label.name) }
  static let types = label(of: .types)

  private static let rowLabels = [ReadOption.keyPath.name, ReadOption.rows.name]

  private static let defaults = ReadOptions()
  private static let formats = Choices(
    "format", FormatTable.standard.formats.map(\.name),
    aliases: FormatTable.standard.formats.flatMap { $0.names.dropFirst() })
  private static let encodings = Choices(
    "encoding", ReadOptions.encodings, accepting: { ReadOptions.isEncoding($0) })
  /// The names of types; a pattern of dates is accepted too.
  private static let typeNames = Choices(
    "type", RequestedType.names, accepting: { RequestedType($0) != nil },
    others: "a pattern of dates such as `dd.MM.yyyy`", refusal: { patternMistake($0) })

  private static func label(of option: ReadOption) -> Label {
    Label(
      option.name, type(of: option.kind), option.summary, example: option.example,
      isRepeatable: option.isRepeatable)
  }

  private static func type(of kind: ReadOption.Kind) -> ArgumentType {
    switch kind {
    case .boolean: .boolean
    case .string: .string
    case .strings: .list(.string)
    case .character: .character
    case .characterOrNone: .either([.character, .choice(Choices("quote", ["none"]))])
    case .integer(let range): .integer(range)
    case .integers(let range): .list(.integer(range))
    case .nameOrNumber: .either([.string, .integer(1...Int.max)])
    case .keyPath: .keyPath(.response)
    case .choice(let noun, let words): .choice(Choices(noun, words))
    case .encoding: .choice(encodings)
    case .types: .record(of: .choice(typeNames))
    }
  }

  private static func setting(for option: ReadOption) -> Setting<ReadOptions> {
    Setting(list: label(of: option)) { arguments, options, session in
      guard let arguments, let first = arguments.first else {
        return try option.apply(nil, to: &options)
      }
      let value = try await value(of: arguments, first, option.kind, in: &session)
      do throws(TableError) {
        try option.apply(value, to: &options)
      } catch {
        throw first.error(.badArgument, error.message)
      }
    }
  }

  /// The value for a read option.
  /// - Parameter first: the only argument, unless the option accepts a list.
  private static func value(
    of arguments: [Argument], _ first: Argument, _ kind: ReadOption.Kind, in session: inout Session
  ) async throws -> Value {
    switch kind {
    case .boolean: return .bool(try first.boolean())
    case .string: return .string(try await first.string(in: &session))
    case .strings:
      var strings: [Value] = []
      for (argument, next) in zip(arguments, arguments.dropFirst()) {
        if let warning = argument.splitNumberWarning(before: next) { session.warn(warning) }
      }
      for argument in arguments { strings.append(.string(try await argument.string(in: &session))) }
      return .array(strings)
    case .character:
      let byte = try first.character(try await first.string(in: &session))
      return .string(String(Unicode.Scalar(byte)))
    case .characterOrNone:
      let text = try await first.string(in: &session)
      return .string(text == "none" ? text : String(Unicode.Scalar(try first.character(text))))
    case .integer: return .integer(try first.integer())
    case .integers: return .array(try arguments.map { .integer(try $0.integer()) })
    case .nameOrNumber:
      if let number = try? first.integer() { return .integer(number) }
      return .string(try await first.string(in: &session))
    case .keyPath: return .string(try await first.keyPath(in: &session).path.description)
    case .choice: return .string(try first.choice())
    case .encoding:
      let name = try await first.string(in: &session)
      return .string(ReadOptions.isEncoding(name) ? name : try first.choice())
    case .types: return .record(Record(try types(in: first)))
    }
  }

  private static func types(in argument: Argument) throws -> [(String, Value)] {
    guard let entries = argument.entries else { throw argument.mismatch() }
    return try entries.map { key, type in
      (key.text, .string(try Argument(type, type: .choice(typeNames)).choice()))
    }
  }

  /// The reason why a text is not a pattern of dates; nil if it is hardly meant as one.
  private static func patternMistake(_ text: String) -> String? {
    let letters = Set(text.filter(\.isLetter))
    // The name of a type has more than the letters of patterns.
    guard text.contains(where: { !$0.isLetter }) || letters.isSubset(of: "yMdHhms") else {
      return nil
    }
    let missing = DatePattern.missingParts(in: text)
    let problem = "`\(text)` is not a pattern of dates"
    // Capital letters for days and years are a mistake of their own.
    guard !missing.isEmpty, letters.isDisjoint(with: "DY") else {
      return "\(problem); write one such as `dd.MM.yyyy`"
    }
    return
      "\(problem): it needs \(missing.joined(separator: " and ")), because a date is a day; write "
      + "one such as `dd.MM.yyyy`, or `string` for parts of dates"
  }
}

extension GivenSettings<ReadOptions> {
  /// The location of a key in `types:`.
  func span(ofType key: String) -> Span? {
    self[ReadSettings.types]?.entries?.first { $0.key.text == key }?.key.span
  }
}

extension Argument {
  /// `` `1,492` is read as two words, `1` and `492`; write `nulls: "1,492"` for one word ``; nil
  /// unless this word ends and the next one begins with a digit, with only a comma between them.
  fileprivate func splitNumberWarning(before next: Argument) -> String? {
    guard let label, let word, let following = next.word,
      word.last?.isNumber == true, following.first?.isNumber == true,
      span.end + 1 == next.span.start
    else { return nil }
    let text = "\(word),\(following)"
    return "`\(text)` is read as two words, `\(word)` and `\(following)`; write "
      + "\(SuggestedLabels(label, text)) for one word"
  }
}
