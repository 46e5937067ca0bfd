internal import CScan

/// Logs of web servers in the common or the combined log format.
struct AccessLogFormat: TableFormat {
  let names: [String]
  private let isCombined: Bool
  let extensions: [String] = []
  let mediaTypes: [String] = []
  let options = ReadOption.cellTypes + [.comment, .encoding, .strict]
  let allowsEmptyFile = true

  static let common = AccessLogFormat(names: ["common"], isCombined: false)
  static let combined = AccessLogFormat(names: ["combined"], isCombined: true)

  /// Certain if at least half of the lines are entries, and most of these in this format.
  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    let found = AccessLines(
      text.prefix(16 << 10), isWhole: sample.isWhole && text.count <= 16 << 10)
    guard found.entries > 0, found.entries * 2 >= found.lines,
      found.isCombined == isCombined
    else { return .impossible }
    return .certain
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      let sample = try TextSample(text, size: 64 << 10)
      let found = AccessLines(sample.bytes[..<sample.count], isWhole: sample.isWhole)
      var fields = AccessFields(isCombined: isCombined)
      fields.hasVirtualHost = found.hasVirtualHost
      fields.hasMore = isCombined && found.hasMore
      var table = LineTable(
        formatName: isCombined ? "combined log" : "common log", fields: fields, keys: fields.keys)
      if found.entries > 0, found.isCombined != isCombined {
        let name = found.isCombined ? "combined" : "common"
        table.advice = { "use \(SuggestedLabels("format", name))" }
      }
      return try table.read(text, sample, input)
    }
  }
}

/// The form of the first lines of a log.
struct AccessLines {
  private(set) var lines = 0
  /// The lines that are entries in any of the forms.
  private(set) var entries = 0
  private var combined = 0
  private var withMore = 0
  private var withVirtualHost = 0

  var isCombined: Bool { combined * 2 > entries }
  var hasMore: Bool { withMore > 0 }
  var hasVirtualHost: Bool { entries > 0 && withVirtualHost == entries }

  static let maxLines = 100

  init(_ text: ArraySlice<UInt8>, isWhole: Bool) {
    let locators = Self.forms.map { ($0, AccessLocator($0)) }
    var fields = [ds_field](repeating: ds_field(), count: 16)
    // Lines of a window are followed by readable bytes.
    let padded = Array(text) + [UInt8](repeating: 0, count: 16)
    padded.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      let raw = UnsafeRawBufferPointer(start: base, count: text.count)
      for found in TextLines(raw, ends: .feed) {
        if lines == Self.maxLines || found.isLast && !isWhole && lines > 0 { break }
        let line = Line(
          bytes: base, start: found.range.lowerBound, end: found.range.upperBound,
          trueIndex: text.count)
        if line.isBlank { continue }
        lines += 1
        for (form, locator) in locators {
          for index in fields.indices { fields[index] = ds_field() }
          guard case .row = locator.locate(line, upTo: .max, into: &fields) else { continue }
          count(form, hasVirtualHost: Self.hasVirtualHost(fields, line))
          break
        }
      }
    }
  }

  private mutating func count(_ form: AccessFields, hasVirtualHost: Bool) {
    entries += 1
    if form.isCombined { combined += 1 }
    if form.hasMore { withMore += 1 }
    if hasVirtualHost { withVirtualHost += 1 }
  }

  /// Whether the fields of an entry with a virtual host were taken as those of one without: the
  /// identity, which is usually `-`, is then the host, and the user has two words.
  private static func hasVirtualHost(_ fields: [ds_field], _ line: Line) -> Bool {
    let (ident, user) = (fields[1], fields[2])
    let start = Int(user.start)
    return ident.length > 0
      && line.firstIndex(of: UInt8(ascii: " "), in: start..<start + Int(user.length)) != nil
  }

  /// From the strictest on.
  private static let forms = [(false, false), (true, false), (true, true)].map { combined, more in
    AccessFields(isCombined: combined, hasMore: more)
  }
}
