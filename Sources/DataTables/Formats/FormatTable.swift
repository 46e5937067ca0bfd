/// The formats that can be read, and the compressions under which they can be. A table is a value:
/// modules add formats and codecs of their own.
public struct FormatTable: Sendable {
  /// In the order in which they are listed; of equally likely formats, the first is used.
  public private(set) var formats: [any TableFormat]
  public private(set) var codecs: [any Codec]

  public init(_ formats: [any TableFormat], codecs: [any Codec] = []) {
    self.formats = formats
    self.codecs = codecs
  }

  /// The formats that need no library.
  public static let core = FormatTable([
    JSONFormat(), NDJSONFormat(), LogFormat(), PrintedFormat(), TSVFormat(), CSVFormat(),
    AccessLogFormat.common, AccessLogFormat.combined, W3CLogFormat(), LogfmtFormat(), FixedFormat(),
    TOMLFormat(), INIFormat(),
  ])

  /// A copy with further formats and codecs.
  public func adding(
    _ formats: [any TableFormat], codecs: [any Codec] = []
  ) -> FormatTable {
    FormatTable(self.formats + formats, codecs: self.codecs + codecs)
  }

  /// The options of all formats and codecs, each once, in the order of the formats.
  public var options: [ReadOption] {
    var names: Set<String> = []
    return (formats.flatMap(\.options) + codecs.flatMap(\.options))
      .filter { names.insert($0.name).inserted }
  }

  /// The suffixes of files beside a file that may have a part of its content.
  public var companions: [String] { formats.flatMap(\.companions) }

  /// The extensions of all formats.
  public var extensions: [String] { formats.flatMap(\.extensions) }

  /// The format with a name that `format:` accepts.
  public func named(_ name: String) -> (any TableFormat)? {
    formats.first { $0.names.contains(name.lowercased()) }
  }

  /// The format of a media type, such as `text/csv`; nil if the type does not determine the format.
  /// - Parameter mediaType: lowercase, without parameters.
  public func format(ofMediaType mediaType: String) -> (any TableFormat)? {
    formats.first { $0.mediaTypes.contains(mediaType) }
      ?? formats.first { format in
        format.mediaTypes.contains { $0.hasPrefix("+") && mediaType.hasSuffix($0) }
      }
  }

  /// The format whose extension a file name has.
  public func format(ofFileNamed name: String) -> (any TableFormat)? {
    let name = name.lowercased()
    return formats.first { format in format.extensions.contains { name.hasSuffix("." + $0) } }
  }

  /// Reads `bytes` in the format that the options name, or else in the format that the content and
  /// the extension of `name` suggest.
  /// - Throws: ``TableError``.
  public func read(
    _ bytes: any ByteStore, named name: String, request: ReadRequest,
    cancellation: Cancellation = Cancellation()
  ) throws -> LoadedTable {
    try MistakenEncoding.check(bytes, encoding: request.options.encoding)
    let format = try format(of: bytes, named: name, options: request.options)
    try format.check(request.options)
    let input = FormatInput(name: name, bytes: bytes, request: request, cancellation: cancellation)
    try format.checkContent(of: input)
    guard request.options.format != nil else { return try self.read(input, in: format) }
    do {
      var loaded = try self.read(input, in: format)
      if let other = try fittingFormat(of: input, besides: format, loaded) {
        loaded.report.notes.append(
          "the content looks like \(other.name); use \(SuggestedLabels("format", other.name)) "
            + "to read it so")
      }
      return loaded
    } catch TableError.format(let message, let place) {
      guard let other = likelyFormat(of: input, besides: format), !message.contains("`format: ")
      else { throw TableError.format(message, at: place) }
      // Before the message, which the position follows.
      throw TableError.format(
        "the content looks like \(other.name), not \(format.name) "
          + "(use \(SuggestedLabels("format", other.name))): \(message)", at: place)
    }
  }

  private func read(_ input: FormatInput, in format: any TableFormat) throws -> LoadedTable {
    var loaded = try format.read(input)
    loaded.report.supportsTypes = format.options.contains { $0.name == ReadOption.types.name }
    return loaded
  }

  /// Reads `bytes` with the given options.
  /// - Throws: ``TableError``.
  public func read(
    _ bytes: any ByteStore, named name: String, options: ReadOptions = ReadOptions(),
    cancellation: Cancellation = Cancellation()
  ) throws -> LoadedTable {
    try read(
      bytes, named: name, request: ReadRequest(options: options), cancellation: cancellation)
  }
}

// Detection of formats.
extension FormatTable {
  private func format(
    of bytes: any ByteStore, named name: String, options: ReadOptions
  ) throws -> any TableFormat {
    if let word = options.format {
      guard let format = named(word) else {
        let names = formats.map(\.name).joined(separator: ", ")
        throw TableError.badArgument("unknown format `\(word)`; expected \(names)")
      }
      return format
    }
    let sample = try FormatSample(bytes, named: name, encoding: options.encoding)
    if let foreign = ForeignFormat.recognize(sample),
      foreign.formatName.flatMap(named) == nil
    {
      throw foreign.error(forFileAt: name)
    }
    guard let format = selected(by: options, for: sample) ?? mostLikely(for: sample) else {
      if let place = sample.bytes.firstIndex(of: 0), options.encoding == nil {
        try EncodingGuess.checkUTF16(bytes, firstNUL: place)
      }
      if !sample.bytes.contains(0) {
        _ = try DecodedText.suggesting(bytes, encoding: options.encoding)
      }
      throw sample.isText
        ? TableError.format("unrecognized format; add `format:`", at: nil) : sample.binaryError
    }
    return format
  }

  /// The only format with an option that selects it; nil if the sample cannot be in the format.
  private func selected(
    by options: ReadOptions, for sample: FormatSample
  ) -> (any TableFormat)? {
    let given = Set(options.given)
    let selecting = formats.filter { format in
      format.options.contains { $0.selectsFormat && given.contains($0.name) }
    }
    guard let format = selecting.first, selecting.count == 1,
      format.recognize(sample) > .impossible
    else { return nil }
    return format
  }

  /// The format that the content and the extension suggest more than a given one; nil if neither
  /// suggests another format.
  private func likelyFormat(
    of input: FormatInput, besides given: any TableFormat
  ) -> (any TableFormat)? {
    guard let sample = try? input.sample(), let other = mostLikely(for: sample),
      other.name != given.name
    else { return nil }
    let isNamed = format(ofFileNamed: sample.name)?.name == other.name
    return isNamed || other.recognize(sample) >= .likely ? other : nil
  }

  /// A format that the content has, although it was read in one that any text may have, or that the
  /// content contradicts; nil if the content may well be in the given format.
  private func fittingFormat(
    of input: FormatInput, besides given: any TableFormat, _ loaded: LoadedTable
  ) throws(TableError) -> (any TableFormat)? {
    guard let sample = try? input.sample() else { return nil }
    let recognition = given.recognize(sample)
    // With other degrees, as for the elements of a feed, a reading that has keys makes sense.
    guard
      recognition == .possible || recognition == .impossible
        || loaded.table.count > 0 && loaded.table.keys.isEmpty,
      let other = mostLikely(for: sample), other.name != given.name
    else { return nil }
    let otherRecognition = other.recognize(sample)
    guard otherRecognition > recognition else { return nil }
    if otherRecognition == .certain { return other }
    return try reads(input, as: other) ? other : nil
  }

  /// Larger files are not read again to verify a suggestion.
  private static let maxVerified = 4 << 20

  /// Whether a format reads all rows, so that suggesting it helps.
  private func reads(
    _ input: FormatInput, as format: any TableFormat
  ) throws(TableError) -> Bool {
    guard input.bytes.count <= Self.maxVerified else { return false }
    let plain = FormatInput(
      name: input.name, bytes: input.bytes, request: ReadRequest(options: input.options.plain),
      cancellation: input.cancellation)
    guard let loaded = try input.cancellation.attempt({ try format.read(plain) }) else {
      return false
    }
    return loaded.table.count > 0 && loaded.report.rejected == 0
  }

  /// The format that the sample and its name suggest; nil if no format is possible.
  func mostLikely(for sample: FormatSample) -> (any TableFormat)? {
    let named = format(ofFileNamed: sample.name)
    let recognition = named?.recognize(sample)
    // Nothing outweighs a likely content together with the extension.
    if let named, let recognition, recognition >= .likely { return named }
    var best: (format: any TableFormat, score: Int)?
    for format in formats {
      let isNamed = named.map { $0.name == format.name } ?? false
      let score = Self.score(
        isNamed ? recognition ?? .impossible : format.recognize(sample), isNamed: isNamed)
      if let score, score > best?.score ?? 0 { best = (format, score) }
    }
    return best?.format
  }

  /// Content that is certain outweighs the extension; the extension outweighs likely content.
  private static func score(_ recognition: Recognition, isNamed: Bool) -> Int? {
    switch recognition {
    case .impossible: nil
    case .ifNamed: isNamed ? 3 : nil
    case .possible: isNamed ? 3 : 1
    case .likely: isNamed ? 5 : 2
    case .certain: isNamed ? 6 : 4
    }
  }
}

extension FormatSample {
  /// - Parameter encoding: the encoding to try; nil to detect it.
  /// - Throws: ``TableError/badArgument(_:)`` for an unknown encoding, and the errors of the store.
  init(_ bytes: any ByteStore, named name: String, encoding: String?) throws {
    let raw = try bytes.bytes(0..<min(Self.size, bytes.count))
    self.name = name
    self.bytes = raw
    isWhole = raw.count == bytes.count
    text = try DecodedText.sample(raw, encoding: encoding)
  }

  var isText: Bool { text != nil }

  fileprivate var binaryError: TableError {
    let place = bytes.firstIndex(of: 0) ?? 0
    return .format("not a text file: byte \(place) is NUL", at: nil)
  }
}

extension TableFormat {
  /// - Throws: ``TableError/format(_:at:)`` for a text of white space alone, unless the format allows
  ///   files without content.
  fileprivate func checkContent(of input: FormatInput) throws {
    guard !allowsEmptyFile,
      let first = try input.bytes.bytes(0..<min(1, input.bytes.count)).first,
      first <= UInt8(ascii: " "),
      let text = try input.sample().text, text.allSatisfy({ $0 <= UInt8(ascii: " ") })
    else { return }
    for start in stride(from: FormatSample.size, to: input.bytes.count, by: 1 << 20) {
      try input.cancellation.check()
      let part = try input.bytes.bytes(start..<min(input.bytes.count, start + 1 << 20))
      if part.contains(where: { $0 > UInt8(ascii: " ") }) { return }
    }
    throw TableError.format("the file contains only white space", at: nil)
  }

  /// - Throws: ``TableError/unsupportedOption(name:message:)``, or ``TableError/badArgument(_:)`` for
  ///   options that contradict each other.
  fileprivate func check(_ options: ReadOptions) throws(TableError) {
    if options.numberStyle.thousands == [options.numberStyle.decimal] {
      throw .badArgument(
        "`decimal:` and `thousands:` are the same character; "
          + (options.numberStyle.decimal == UInt8(ascii: ".")
            ? "add `decimal: \",\"`" : "each needs its own"))
    }
    let supported = self.options.map(\.name)
    guard let name = options.given.first(where: { !supported.contains($0) }) else { return }
    let list = supported.map { "`\($0):`" }.joined(separator: " ")
    throw .unsupportedOption(
      name: name,
      message: "the format \(self.name) does not support `\(name):`"
        + (list.isEmpty ? "" : "; it supports \(list)"))
  }
}
