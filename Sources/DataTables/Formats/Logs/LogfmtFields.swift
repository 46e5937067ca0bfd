internal import CScan

/// The fields of a line in logfmt: `level=info msg="a b" dur=3ms retry`.
///
/// A key ends at `=`, a blank or the end of the line; a key alone is true. A value in double quotes
/// has the escapes of JSON. The last of several values of a key counts. (Brandur Leach, "logfmt",
/// 2016; the parser of github.com/go-logfmt.)
struct LogfmtFields: LineFields {
  private(set) var keys: [String]

  static let maxKeys = 10_000

  init(keys: [String] = []) { self.keys = keys }

  var quoting: FieldQuoting {
    FieldQuoting(escape: UInt8(ascii: "\\"), hasLetterEscapes: true)
  }

  func makeLocator() -> any LineLocator { LogfmtLocator(keys) }

  func adding(keys: [String]) -> any LineFields { LogfmtFields(keys: self.keys + keys) }
}

final class LogfmtLocator: LineLocator {
  private let keys: [String]
  /// The numbers of the keys: the known ones first, then the new ones.
  private let numbers = ByteDictionary()
  /// The number of new keys that were taken.
  private var taken = 0

  init(_ keys: [String]) {
    self.keys = keys
    for key in keys {
      var key = key
      key.withUTF8 { _ = numbers.code(for: UnsafeRawBufferPointer($0)) }
    }
  }

  func locate(
    _ line: Line, upTo last: Int, into fields: UnsafeMutablePointer<ds_field>
  ) -> LineOutcome {
    let (numbers, known) = (numbers, keys.count)
    var scan = LogfmtScan(line: line, index: line.start)
    // The keys that have no number yet: a rejected line adds none.
    var unknown: ByteDictionary?
    while scan.skipBlanks() {
      let key = scan.takeKey()
      guard !key.isEmpty else { return scan.rejected(.noKey) }
      let field: ds_field
      switch scan.takeValue() {
      case .success(let value): field = value
      case .failure(let problem): return scan.rejected(problem.problem)
      }
      let start = line.bytes + key.lowerBound
      if let number = numbers.knownCode(at: start, length: key.count) {
        if number < known { fields[Int(number)] = field }
      } else {
        let new = unknown ?? ByteDictionary()
        unknown = new
        _ = new.code(at: start, length: key.count)
        if numbers.count + new.count > LogfmtFields.maxKeys { return scan.rejected(.tooManyKeys) }
      }
    }
    if let unknown { add(unknown) }
    return .row
  }

  private func add(_ keys: ByteDictionary) {
    for code in 0..<keys.count { keys.withBytes(of: code) { _ = numbers.code(for: $0) } }
  }

  func takeNewKeys() -> [String] {
    let first = keys.count + taken
    guard numbers.count > first else { return [] }
    taken = numbers.count - keys.count
    return (first..<numbers.count).map { code in
      numbers.withBytes(of: code) { String(decoding: $0, as: UTF8.self) }
    }
  }
}

/// A position in a line of logfmt.
struct LogfmtScan {
  struct Problem: Error { let problem: LineProblem }

  let line: Line
  var index: Int

  func rejected(_ problem: LineProblem) -> LineOutcome {
    .rejected(problem, at: min(index, line.end) - line.start)
  }

  private func byte(_ index: Int) -> UInt8 { index < line.end ? line.bytes[index] : 0x20 }

  /// False at the end of the line.
  mutating func skipBlanks() -> Bool {
    while index < line.end, line.bytes[index] <= 0x20 { index += 1 }
    return index < line.end
  }

  mutating func takeKey() -> Range<Int> {
    let start = index
    while true {
      let byte = byte(index)
      if byte <= 0x20 || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "\"") { break }
      index += 1
    }
    return start..<index
  }

  /// The value after a key: the word `true` if there is none.
  mutating func takeValue() -> Result<ds_field, Problem> {
    guard byte(index) == UInt8(ascii: "=") else {
      // A quote must not follow a key.
      if byte(index) > 0x20 { return .failure(Problem(problem: .noKey)) }
      return .success(ds_field(start: UInt32(truncatingIfNeeded: line.trueIndex), length: 4))
    }
    index += 1
    let start = index
    guard byte(index) == UInt8(ascii: "\"") else {
      while byte(index) > 0x20 { index += 1 }
      return .success(
        ds_field(
          start: UInt32(truncatingIfNeeded: start),
          length: UInt32(truncatingIfNeeded: index - start)))
    }
    index += 1
    var flags = UInt32(DS_FIELD_QUOTED)
    while index < line.end, line.bytes[index] != UInt8(ascii: "\"") {
      if line.bytes[index] == UInt8(ascii: "\\") {
        flags |= UInt32(DS_FIELD_ESCAPED)
        index += 1
      }
      index += 1
    }
    guard index < line.end else {
      index = start
      return .failure(Problem(problem: .openQuote))
    }
    let end = index
    index += 1
    guard byte(index) <= 0x20 else { return .failure(Problem(problem: .textAfterQuote)) }
    return .success(
      ds_field(
        start: UInt32(truncatingIfNeeded: start + 1),
        length: UInt32(truncatingIfNeeded: end - start - 1) | flags))
  }
}
