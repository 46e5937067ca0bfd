/// Comma-separated values (RFC 4180); other delimiters are detected or given.
struct CSVFormat: TableFormat {
  let names = ["csv"]
  let extensions = ["csv", "psv"]
  let mediaTypes = ["text/csv", "application/csv"]
  let options = ReadOption.delimited
  /// The extension `psv` is that of files with `|` between the fields.
  let writing: FormatWriting? = FormatWriting { layout, name in
    let delimiter = name.lowercased().hasSuffix(".psv") ? UInt8(ascii: "|") : UInt8(ascii: ",")
    return DelimitedWriter(layout, delimiter: delimiter)
  }

  func recognize(_ sample: FormatSample) -> Recognition {
    sample.text == nil ? .impossible : .possible
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      try input.checkTable(text)
      return try DelimitedReader(text, request: input.request, delimiter: UInt8(ascii: ","))
        .read(cancellation: input.cancellation)
    }
  }
}

/// Tab-separated values, quoted as in CSV.
struct TSVFormat: TableFormat {
  let names = ["tsv"]
  let extensions = ["tsv", "tab"]
  let mediaTypes = ["text/tab-separated-values"]
  let options = ReadOption.delimited
  let writing: FormatWriting? = FormatWriting { layout, _ in
    DelimitedWriter(layout, delimiter: UInt8(ascii: "\t"))
  }

  func recognize(_ sample: FormatSample) -> Recognition {
    sample.text == nil ? .impossible : .ifNamed
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      try DelimitedReader(text, request: input.request, delimiter: UInt8(ascii: "\t"))
        .read(cancellation: input.cancellation)
    }
  }
}

extension ReadOption {
  /// The options that describe a table in a text.
  static let tableLabels = [delimiter, quote, escape, skip, keys, header, comment]
  /// The options of delimited text.
  fileprivate static let delimited =
    [delimiter, quote, escape, skip, keys, header] + cellTypes + [comment, encoding, strict]
}

/// Sizes that control the reading of a text, in bytes.
struct ScanSizes: Sendable {
  /// In texts up to this size, the types of all columns are determined at load; in larger ones they
  /// are estimated from a sample, and a column's type is determined when the column is accessed.
  var exact = 1 << 20
  var sample = 256 << 10
  /// The part of the text that one worker scans at a time.
  var chunk = 4 << 20
  /// The part of a chunk that is in memory; it should fit the second-level cache.
  var window = 256 << 10
}

extension ScanSizes {
  /// The sizes for a text of `bytes`. Every worker should get several chunks: the smaller the
  /// chunks, the less time a worker is idle while others finish their last chunk.
  init(forTextOf bytes: Int) {
    chunk = min(chunk, max(chunk / 4, bytes / (Parallel.workers * 4)))
  }
}
