internal import CScan

/// The fields of an entry in the log of a web server, in the common log format or the combined one:
///
///     203.0.113.7 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326
///
/// The combined format adds the referrer and the agent in quotes. (Apache HTTP Server, "Log Files";
/// nginx, "ngx_http_log_module".) A field `-` is null.
struct AccessFields: LineFields {
  /// Whether a line begins with the virtual host, as in Apache's `vhost_combined`.
  var hasVirtualHost = false
  /// Whether the referrer and the agent follow the number of bytes.
  var isCombined: Bool
  /// Whether further fields follow the agent, as in nginx's `main`.
  var hasMore = false

  var keys: [String] {
    (hasVirtualHost ? ["vhost"] : [])
      + [
        "host", "ident", "user", "time", "request", "method", "path", "protocol", "status", "bytes",
      ]
      + (isCombined ? ["referer", "agent"] : []) + (hasMore ? ["more"] : [])
  }

  func makeLocator() -> any LineLocator { AccessLocator(self) }
}

final class AccessLocator: LineLocator {
  private let form: AccessFields

  init(_ form: AccessFields) { self.form = form }

  func locate(
    _ line: Line, upTo last: Int, into fields: UnsafeMutablePointer<ds_field>
  ) -> LineOutcome {
    var scan = AccessScan(line: line, index: line.start, target: fields)
    if form.hasVirtualHost {
      guard scan.takeWord() else { return scan.rejected(.noHost) }
    }
    guard scan.takeWord() else { return scan.rejected(.noHost) }
    guard scan.takeWord(), scan.takeUserAndTime() else { return scan.rejected(.noTime) }
    if scan.count > last { return .row }
    guard scan.takeRequest() else { return scan.rejected(.noRequest) }
    guard scan.takeStatus() else { return scan.rejected(.noStatus) }
    guard scan.takeBytes() else { return scan.rejected(.noBytes) }
    guard form.isCombined else { return scan.isAtEnd ? .row : scan.rejected(.textAfterBytes) }
    if scan.count > last { return .row }
    if scan.isAtEnd { return .short(fields: scan.count) }
    guard scan.takeQuoted(), scan.takeQuoted() else { return scan.rejected(.noReferrer) }
    if form.hasMore { scan.takeRest() }
    return scan.isAtEnd ? .row : scan.rejected(.noReferrer)
  }
}

/// A position in an entry, from which its fields are taken one after another. Each function returns
/// whether the next field has its form.
private struct AccessScan {
  let line: Line
  var index: Int
  var target: UnsafeMutablePointer<ds_field>
  /// The number of fields that were taken.
  var count = 0

  init(line: Line, index: Int, target: UnsafeMutablePointer<ds_field>) {
    self.line = line
    self.index = index
    self.target = target
  }

  var isAtEnd: Bool { index >= line.end }

  func rejected(_ problem: LineProblem) -> LineOutcome {
    .rejected(problem, at: min(index, line.end) - line.start)
  }

  private func byte(_ index: Int) -> UInt8 { index < line.end ? line.bytes[index] : 0 }

  private mutating func append(_ start: Int, _ end: Int, flags: UInt32 = 0) {
    if end > start, end - start > 1 || line.bytes[start] != UInt8(ascii: "-") {
      target[count] = ds_field(
        start: UInt32(truncatingIfNeeded: start),
        length: UInt32(truncatingIfNeeded: end &- start) | flags)
    }
    count += 1
  }

  /// A word and the blank after it.
  mutating func takeWord() -> Bool {
    guard let end = line.firstIndex(of: UInt8(ascii: " "), from: index), end > index else {
      return false
    }
    append(index, end)
    index = end + 1
    return true
  }

  /// The user, whose name may contain blanks, and the time in brackets, which ends with a blank.
  mutating func takeUserAndTime() -> Bool {
    var from = index
    // The first bracket at or after `from`. It is kept, so that a long line is searched once.
    var close = -1
    while let open = line.firstIndex(of: UInt8(ascii: "["), from: from) {
      from = open + 1
      guard open > index, line.bytes[open - 1] == UInt8(ascii: " "), byte(from).isDigit else {
        continue
      }
      if close < from {
        guard let next = line.firstIndex(of: UInt8(ascii: "]"), from: from) else { return false }
        close = next
      }
      guard byte(close + 1) == UInt8(ascii: " ") else { continue }
      append(index, open - 1)
      append(from, close)
      index = close + 2
      return true
    }
    return false
  }

  /// The request in quotes, its parts, and the blank after it.
  mutating func takeRequest() -> Bool {
    guard let range = quoted(), byte(range.upperBound + 1) == UInt8(ascii: " ") else {
      return false
    }
    append(range.lowerBound, range.upperBound)
    index = range.upperBound + 2
    takeParts(range)
    return true
  }

  /// `GET /a.gif HTTP/1.0`; without the form of a request, the parts are null.
  private mutating func takeParts(_ range: Range<Int>) {
    defer { count += 3 }
    guard let space = line.firstIndex(of: UInt8(ascii: " "), in: range), space > range.lowerBound
    else { return }
    for index in range.lowerBound..<space {
      guard line.bytes[index] &- UInt8(ascii: "A") < 26 || line.bytes[index] == UInt8(ascii: "-")
      else { return }
    }
    var end = range.upperBound
    var place = end
    while place > space + 1, line.bytes[place - 1] != UInt8(ascii: " ") { place -= 1 }
    let hasProtocol =
      place > space + 1 && end - place > 5 && byte(place) == UInt8(ascii: "H")
      && byte(place + 4) == UInt8(ascii: "/")
    if hasProtocol { end = place - 1 }
    let first = count
    append(range.lowerBound, space)
    append(space + 1, end)
    if hasProtocol { append(place, range.upperBound) }
    count = first
  }

  mutating func takeStatus() -> Bool {
    let start = index
    while byte(index).isDigit { index += 1 }
    let isNone = start == index && byte(index) == UInt8(ascii: "-")
    if isNone { index += 1 }
    guard isNone || index - start == 3, byte(index) == UInt8(ascii: " ") else {
      index = start
      return false
    }
    append(start, index)
    index += 1
    return true
  }

  /// A number of bytes, and the blank after it unless the line ends.
  mutating func takeBytes() -> Bool {
    let start = index
    while byte(index).isDigit { index += 1 }
    if start == index, byte(index) == UInt8(ascii: "-") { index += 1 }
    guard index > start, isAtEnd || byte(index) == UInt8(ascii: " ") else {
      index = start
      return false
    }
    append(start, index)
    takeBlank()
    return true
  }

  /// A string in quotes, and the blank after it unless the line ends.
  mutating func takeQuoted() -> Bool {
    guard let range = quoted() else { return false }
    append(range.lowerBound, range.upperBound)
    index = range.upperBound + 1
    takeBlank()
    return true
  }

  /// The rest of the line, without the quotes around it if it is a single string.
  mutating func takeRest() {
    if let range = quoted(), range.upperBound + 1 == line.end {
      append(range.lowerBound, range.upperBound)
    } else if !isAtEnd {
      append(index, line.end)
    }
    index = line.end
  }

  private mutating func takeBlank() {
    while byte(index) == UInt8(ascii: " ") { index += 1 }
  }

  /// The content of the string in quotes that is next. Servers may leave quotes in it unescaped, so
  /// it ends at a quote that a blank or the end of the line follows.
  private func quoted() -> Range<Int>? {
    guard byte(index) == UInt8(ascii: "\"") else { return nil }
    var from = index + 1
    while let quote = line.firstIndex(of: UInt8(ascii: "\""), from: from) {
      var escapes = quote
      while escapes > index + 1, line.bytes[escapes - 1] == UInt8(ascii: "\\") { escapes -= 1 }
      let ends = quote + 1 == line.end || line.bytes[quote + 1] == UInt8(ascii: " ")
      if ends, (quote - escapes) % 2 == 0 { return index + 1..<quote }
      from = quote + 1
    }
    return nil
  }
}
