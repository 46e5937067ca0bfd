import DataTables

/// Reads the text of a cassette (``CassetteText``).
struct CassetteReader {
  private let lines: [ArraySlice<UInt8>]
  /// The number of the current line, from 1.
  private var number = 0
  private var exchanges: [Exchange] = []
  private var order = CassetteOrder()
  /// The line of the request of each exchange.
  private var places: [Int] = []
  private var draft: ExchangeDraft?
  /// The line of the first exchange that is incomplete.
  private var unfinished: Int?
  /// Whether the current lines belong to an incomplete exchange, which is skipped.
  private var isSkipping = false

  struct Recording {
    let exchanges: [Exchange]
    /// The line of the request of each exchange, counted from 1.
    let lines: [Int]
    /// The line of the first exchange that is skipped as incomplete.
    let unfinished: Int?
  }

  /// - Throws: `TableError.format` with the line that is wrong.
  static func exchanges(in text: String) throws(TableError) -> [Exchange] {
    try recording(in: text).exchanges
  }

  /// - Throws: `TableError.format` with the line that is wrong.
  static func recording(in text: String) throws(TableError) -> Recording {
    var reader = CassetteReader(text)
    let exchanges = try reader.read()
    return Recording(
      exchanges: exchanges, lines: reader.places, unfinished: reader.unfinished)
  }

  private init(_ text: String) {
    var bytes = Array(text.utf8)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    // Version control may add carriage returns; the ones in a body are escaped.
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      $0.last == 0x0D ? $0.dropLast() : $0
    }
  }

  private mutating func read() throws(TableError) -> [Exchange] {
    var isHeadingRead = false
    for line in lines {
      number += 1
      guard let first = line.first else { continue }
      if isHeadingRead, first == CassetteText.unfinished, Self.method(of: line.dropFirst()) != nil {
        try finish()
        isSkipping = true
        unfinished = unfinished ?? number
      }
      guard first != UInt8(ascii: "#") else { continue }
      if isHeadingRead {
        try read(line, marker: first)
      } else {
        try readHeading(String(decoding: line, as: UTF8.self))
        isHeadingRead = true
      }
    }
    guard isHeadingRead else { throw mistake("is empty; expected `\(Self.heading)`") }
    try finish()
    return exchanges
  }

  private static var heading: String { "\(CassetteText.heading) \(CassetteText.version)" }

  private func readHeading(_ line: String) throws(TableError) {
    if line == Self.heading { return }
    guard line.hasPrefix(CassetteText.heading + " ") else {
      throw mistake("does not begin with `\(Self.heading)`")
    }
    throw mistake("has another version than `\(Self.heading)`; record it again")
  }

  private mutating func read(
    _ line: ArraySlice<UInt8>, marker: UInt8
  ) throws(TableError) {
    if let method = Self.method(of: line) {
      try finish()
      isSkipping = false
      let url = String(decoding: line.dropFirst(method.utf8.count + 1), as: UTF8.self)
      draft = ExchangeDraft(line: number, request: RecordedRequest(method: method, url: url))
      return
    }
    if isSkipping { return }
    guard let text = CassetteReader.content(of: line) else {
      throw mistake("`\(Self.excerpt(line))` does not begin like a line of a cassette")
    }
    guard var draft else {
      throw mistake("`GET` or `POST` and the URL are missing before this line")
    }
    self.draft = nil
    do {
      try draft.read(text, marker: marker)
    } catch {
      throw mistake(error.what)
    }
    self.draft = draft
  }

  /// The method at the beginning of a request line; nil for another line.
  private static func method(of line: ArraySlice<UInt8>) -> String? {
    CassetteText.methods.first { line.starts(with: "\($0) ".utf8) }
  }

  private mutating func finish() throws(TableError) {
    guard let draft else { return }
    self.draft = nil
    guard let exchange = draft.exchange else {
      number = draft.line
      throw mistake("the request has no response: a line `< STATUS` or `! FAULT: …` is missing")
    }
    if let mistake = order.add(exchange) {
      number = draft.line
      throw self.mistake(mistake)
    }
    exchanges.append(exchange)
    places.append(draft.line)
  }

  private func mistake(_ what: String) -> TableError {
    .format(what, at: TextPosition(line: max(1, number), column: 1))
  }

  private static func excerpt(_ line: ArraySlice<UInt8>) -> String {
    String(String(decoding: line.prefix(160), as: UTF8.self).prefix(40))
  }

  /// The text after the marker and the space or `\` that follows it; empty for a marker alone; nil
  /// for an unknown marker, another separator or an invalid escape.
  private static func content(of line: ArraySlice<UInt8>) -> String? {
    guard let marker = line.first, ">+@<~|=!".utf8.contains(marker) else { return nil }
    let rest = line.dropFirst()
    guard let separator = rest.first else { return "" }
    let text = String(decoding: rest.dropFirst(), as: UTF8.self)
    switch separator {
    case UInt8(ascii: " "): return text
    case UInt8(ascii: "\\"): return LineEscapes.unescaped(text[...])
    default: return nil
    }
  }
}
