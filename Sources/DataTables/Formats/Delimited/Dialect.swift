internal import CScan

/// The special characters of a delimited text.
struct Dialect: Sendable {
  enum LineEnds: Sendable {
    /// Rows end at LF, CR LF or CR CR LF.
    case lf
    /// Rows also end at CR.
    case any
  }

  var delimiter: UInt8
  var lineEnds = LineEnds.lf
  /// nil if quotes are ordinary characters.
  var quote: UInt8? = UInt8(ascii: "\"")
  /// The byte that makes the following byte an ordinary character, inside and outside quotes.
  var escape: UInt8?
  /// The prefix of comment lines; empty for none.
  var comment: [UInt8] = []
  /// Whether the spaces at the start of a field are not part of it, so that a quote may follow them.
  var skipsSpaces = false
  /// Whether every row ends with a delimiter, which no field follows.
  var hasTrailingDelimiter = false
  /// Finds the fields of lines without delimiters; nil for delimited text.
  var lines: (any LineFields)?

  /// The dialect for the kernels.
  var kernel: ds_dialect {
    let ends = lineEnds == .lf ? DS_ENDS_LF : DS_ENDS_ANY
    return ds_dialect(
      delimiter: delimiter, ends: UInt8(ends.rawValue), quote: quote.map { Int16($0) } ?? -1,
      escape: escape.map { Int16($0) } ?? -1, comment: comment.first.map { Int16($0) } ?? -1,
      skipsSpaces: skipsSpaces ? 1 : 0)
  }

  var quoting: FieldQuoting {
    lines?.quoting
      ?? FieldQuoting(quote: quote ?? UInt8(ascii: "\""), escape: escape)
  }
}

extension Dialect {
  /// The dialect of a text whose lines are rows with fields that have no delimiter.
  init(lines: any LineFields, comment: String? = nil, lineEnds: LineEnds = .lf) {
    // The byte is not part of any character, so that every line is one field for the kernels.
    self.init(delimiter: 0xFF, lineEnds: lineEnds, quote: nil)
    self.comment = Array((comment ?? "").utf8)
    self.lines = lines
  }
}
