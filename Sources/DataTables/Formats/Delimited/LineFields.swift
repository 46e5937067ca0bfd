internal import CScan
internal import Glibc

/// How the fields of a line are found in a text that has no delimiter: each line is a row, such as
/// an entry of a log.
protocol LineFields: Sendable {
  /// The quotes and escapes of the fields that are marked as escaped.
  var quoting: FieldQuoting { get }
  /// The column to which lines that continue a row are added; nil if each row is one line.
  var continuedColumn: Int? { get }
  /// A locator for the use of one scanner.
  func makeLocator() -> any LineLocator
  /// The same fields with more keys, for formats that name the keys in each line, such as logfmt.
  func adding(keys: [String]) -> any LineFields
}

extension LineFields {
  var quoting: FieldQuoting { FieldQuoting() }
  var continuedColumn: Int? { nil }
  func adding(keys: [String]) -> any LineFields { self }
}

/// Finds the fields of lines. Not thread-safe; each scanner has its own.
protocol LineLocator: AnyObject {
  /// Finds the fields of a line that is not empty.
  ///
  /// - Parameters:
  ///   - last: the greatest column that is needed; if it is not the last one, the rest of the line
  ///     need not be checked.
  ///   - fields: a place for each column, initially an empty, unquoted field.
  /// - Complexity: O(bytes of the line).
  func locate(
    _ line: Line, upTo last: Int, into fields: UnsafeMutablePointer<ds_field>
  ) -> LineOutcome

  /// Whether a line that is not a row continues the row before it.
  func isContinuation(_ line: Line) -> Bool

  /// Removes and returns keys that lines have and the fields lack, in order of first appearance.
  func takeNewKeys() -> [String]
}

extension LineLocator {
  func isContinuation(_ line: Line) -> Bool { false }
  func takeNewKeys() -> [String] { [] }
}

/// A line in a window, without its line end.
struct Line {
  /// At least 16 bytes after the line are readable.
  let bytes: UnsafePointer<UInt8>
  let start: Int
  let end: Int
  /// The index of the word `true`, which stands for a key without a value.
  let trueIndex: Int

  static let trueWord: StaticString = "true"

  var isBlank: Bool {
    for index in start..<end where bytes[index] != 0x20 && bytes[index] != 0x09 { return false }
    return true
  }

  /// Whether the line starts with a space or a tab.
  var isIndented: Bool { start < end && bytes[start].isBlank }

  func firstIndex(of byte: UInt8, from index: Int) -> Int? { firstIndex(of: byte, in: index..<end) }

  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    guard !range.isEmpty, let found = memchr(bytes + range.lowerBound, Int32(byte), range.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
  }
}

/// The result of finding the fields of a line.
enum LineOutcome {
  case row
  /// A line that contains no data, such as one that underlines the header.
  case skipped
  /// A row whose last fields are missing, with the number of its fields.
  case short(fields: Int)
  /// - Parameter offset: the place of the error in the line, in bytes from 0.
  case rejected(LineProblem, at: Int)
}

/// The reason why a line is not a row.
enum LineProblem: Equatable, Sendable {
  case noHost, noTime, noRequest, noStatus, noBytes, noReferrer, textAfterBytes
  case noKey, openQuote, textAfterQuote, tooManyKeys
  case unmatched, tooComplex
  case pastColumns, acrossColumns
  case words(Int, expected: Int)
  case continuation
  case otherFields

  /// Whether a line with an indentation may continue the entry before.
  var mayContinue: Bool {
    switch self {
    case .pastColumns, .acrossColumns, .words, .otherFields: false
    default: true
    }
  }

  var message: String {
    switch self {
    case .noHost: "does not begin with a host"
    case .noTime: "has no time in brackets after the user"
    case .noRequest: "has no request in quotes after the time"
    case .noStatus: "has no status of three digits after the request"
    case .noBytes: "has no number of bytes after the status"
    case .noReferrer: "has no referer and agent in quotes after the bytes"
    case .textAfterBytes: "has text after the number of bytes"
    case .noKey: "has no key before `=`"
    case .openQuote: "has an unclosed quote"
    case .textAfterQuote: "has text after a closing quote"
    case .tooManyKeys: "has more keys than \(LogfmtFields.maxKeys.grouped)"
    case .unmatched: "does not match the pattern"
    case .tooComplex: "is too long for the pattern"
    case .pastColumns: "has text after the last column"
    case .acrossColumns: "has a value that extends over two columns"
    case .words(let count, let expected):
      "has \(count.counted("field")) for \(expected.counted("key"))"
    case .otherFields: "names other fields than the first `#Fields:`"
    case .continuation: "begins with a blank and continues the line before"
    }
  }
}
