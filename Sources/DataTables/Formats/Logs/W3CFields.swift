internal import CScan

/// The fields of an entry in a log whose `#Fields:` line names them, as IIS and CloudFront write it.
///
/// Fields are separated by blanks, or by tabs alone; a field may be in quotes, which are doubled in
/// it. A field `-` is null. Lines that begin with `#` are directives. (W3C, "Extended Log File
/// Format", 1996.)
struct W3CFields: LineFields {
  let names: [String]
  /// Whether blanks are part of fields.
  let hasTabs: Bool

  static let directive = Array("#Fields:".utf8)

  /// The names of a `#Fields:` line; nil for another line.
  static func names(in line: some Collection<UInt8>) -> [String]? {
    guard line.starts(with: directive) else { return nil }
    return line.dropFirst(directive.count).split(whereSeparator: \.isBlank)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func makeLocator() -> any LineLocator { W3CLocator(self) }
}

final class W3CLocator: LineLocator {
  private let form: W3CFields

  init(_ form: W3CFields) { self.form = form }

  func locate(
    _ line: Line, upTo last: Int, into fields: UnsafeMutablePointer<ds_field>
  ) -> LineOutcome {
    if line.bytes[line.start] == UInt8(ascii: "#") { return directive(line) }
    var count = 0
    var index = line.start
    while true {
      if !form.hasTabs {
        while index < line.end, isSeparator(line.bytes[index]) { index += 1 }
        if index == line.end { break }
      }
      guard let field = takeField(line, &index) else {
        return .rejected(.openQuote, at: index - line.start)
      }
      if count < form.names.count { fields[count] = field }
      count += 1
      if index == line.end { break }
      index += 1
    }
    return count == form.names.count
      ? .row : .rejected(.words(count, expected: form.names.count), at: 0)
  }

  /// Entries after another `#Fields:` line have other fields.
  private func directive(_ line: Line) -> LineOutcome {
    let bytes = UnsafeBufferPointer(start: line.bytes + line.start, count: line.end - line.start)
    guard let names = W3CFields.names(in: bytes), names != form.names else { return .skipped }
    return .rejected(.otherFields, at: 0)
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\t") || byte == UInt8(ascii: " ") && !form.hasTabs
  }

  /// The field at `index`, which then is at the separator after it; nil for a quote that is not
  /// closed before a separator.
  private func takeField(_ line: Line, _ index: inout Int) -> ds_field? {
    let start = index
    let quote = UInt8(ascii: "\"")
    guard start < line.end, line.bytes[start] == quote else {
      while index < line.end, !isSeparator(line.bytes[index]) { index += 1 }
      let isNull = index == start + 1 && line.bytes[start] == UInt8(ascii: "-")
      return isNull ? ds_field() : field(start..<index)
    }
    index += 1
    var flags = UInt32(DS_FIELD_QUOTED)
    while let end = line.firstIndex(of: quote, from: index) {
      index = end + 1
      if index == line.end || isSeparator(line.bytes[index]) {
        return field(start + 1..<end, flags)
      }
      guard line.bytes[index] == quote else { break }
      flags |= UInt32(DS_FIELD_ESCAPED)
      index += 1
    }
    index = start
    return nil
  }

  private func field(_ range: Range<Int>, _ flags: UInt32 = 0) -> ds_field {
    ds_field(
      start: UInt32(truncatingIfNeeded: range.lowerBound),
      length: UInt32(truncatingIfNeeded: range.count) | flags)
  }
}
