import DataTables

// The formats that can be read.
extension HelpTopic {
  static let formats = HelpTopic(
    name: "formats",
    lines: [
      "load and remote recognize a format by its content; the extension or the Content-Type decides",
      "where the content does not. `format:` names one:",
    ] + table(FormatTable.standard.formats) + [
      "A label that a format does not support is an error. The labels:"
    ] + options(FormatTable.standard.options) + [
      "`maxRow:` limits the size of a row in CSV, logs, JSON and INI, `maxDepth:` the nesting of values."
    ],
    examples: [
      "load data/foods.csv; describe foods",
      "let countries = load data/iso3166.tab format: tsv comment: \"#\" keys: [code, name]",
      "load data/missions.ndjson; count missions",
    ])

  static var namesOfFormats: [String] { FormatTable.standard.formats.map(\.name) }

  /// The extensions and labels of the format with a name; nil if no format has it.
  static func format(named name: String) -> HelpTopic? {
    guard let format = FormatTable.standard.named(name) else { return nil }
    return HelpTopic(
      name: format.name,
      lines: table([format]) + options(format.options) + ["See also: help formats"],
      examples: [])
  }

  /// The name and the extensions of each format, and its labels, in lines that fit a terminal.
  private static func table(_ formats: [any TableFormat]) -> [String] {
    let width = (formats.map(\.name.count).max() ?? 0) + 2
    return formats.flatMap { format in
      let blocks = [format.extensions.map { "." + $0 }, format.options.map { $0.name + ":" }]
      return blocks.flatMap { wrapped($0, to: 96 - width) }.enumerated().map { line, words in
        "  " + padded(line == 0 ? format.name : "", to: width) + words
      }
    }
  }

  private static func options(_ options: [ReadOption]) -> [String] {
    let width = (options.map(\.name.count).max() ?? 0) + 3
    return options.map { "  " + padded($0.name + ":", to: width) + $0.summary }
  }
}
