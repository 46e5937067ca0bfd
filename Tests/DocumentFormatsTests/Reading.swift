import DataTables
import Testing

@testable import DocumentFormats

/// Reads texts in the formats of this module and of `DataTables`.
func read(
  _ bytes: some Sequence<UInt8>, named name: String = "", _ options: ReadOptions = ReadOptions()
) throws -> LoadedTable {
  try FormatTable.core.adding(FormatTable.documents)
    .read(MemoryBytes(Array(bytes)), named: name, options: options)
}

func read(
  _ text: String, named name: String = "", _ options: ReadOptions = ReadOptions()
) throws -> LoadedTable {
  try read(text.utf8, named: name, options)
}

extension LoadedTable {
  /// The rows as JSON.
  var json: [String] {
    get throws { try table.objects(at: Array(0..<table.count)).map(\.json) }
  }

  var lines: [Int?] {
    get throws { try (0..<table.count).map { try table.line(of: $0) } }
  }
}

extension ReadOptions {
  static func with(_ option: ReadOption, _ value: Value) throws -> ReadOptions {
    var options = ReadOptions()
    try option.apply(value, to: &options)
    return options
  }
}
