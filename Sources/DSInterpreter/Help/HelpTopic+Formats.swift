import DataTables

// The formats that can be read.
extension HelpTopic {
  static let formats = HelpTopic(
    name: "formats",
    lines: [
      "load and remote recognize a format by its content; the extension or the Content-Type decides",
      "where the content does not. `format:` names one:",
    ] + table + [
      "A label that a format does not support is an error. The labels:"
    ] + options + [
      "`maxRow:` and `maxDepth:` limit the size and the nesting of a row in every format."
    ],
    examples: [
      "load data/foods.csv; describe foods",
      "let countries = load data/iso3166.tab format: tsv comment: \"#\" keys: [code, name]",
      "load data/missions.ndjson; count missions",
    ])

  /// The name, the extensions and the labels of each format, in lines that fit a terminal.
  private static var table: [String] {
    let formats = FormatTable.standard.formats
    let width = (formats.map(\.name.count).max() ?? 0) + 2
    let extensions = formats.map { $0.extensions.map { "." + $0 }.joined(separator: " ") }
    let extensionWidth = (extensions.map(\.count).max() ?? 0) + 2
    return zip(formats, extensions).flatMap { format, extensions in
      let labels = wrapped(format.options.map { $0.name + ":" }, to: 96 - width - extensionWidth)
      return (labels.isEmpty ? [""] : labels).enumerated().map { line, labels in
        "  " + padded(line == 0 ? format.name : "", to: width)
          + padded(line == 0 ? extensions : "", to: extensionWidth) + labels
      }
    }
  }

  private static var options: [String] {
    let options = FormatTable.standard.options
    let width = (options.map(\.name.count).max() ?? 0) + 3
    return options.map { "  " + padded($0.name + ":", to: width) + $0.summary }
  }
}
