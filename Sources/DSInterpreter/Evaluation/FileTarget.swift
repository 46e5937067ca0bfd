import DataSources
import DataTables

extension FileSaving {
  /// The names of the formats that can be written, with that of databases in files.
  static let formats = FormatTable.standard.formats
    .filter { $0.writing != nil || $0.name == databaseFormat }.map(\.name)
  static let databaseFormat = "sqlite"

  /// - Parameters:
  ///   - name: the path as the user typed it.
  ///   - format: the value of `format:`; nil to use the extension.
  /// - Throws: ``Diagnostic`` of kind `badArgument` if the format is not known, or cannot be written.
  init(
    _ name: String, format: Argument?, at target: Argument, in session: inout Session
  ) throws {
    let table = FormatTable.standard
    let codec = table.codec(ofFileNamed: name)
    let stem = codec.map { table.contentName(ofFileNamed: name, codec: $0, inner: nil) } ?? name
    let names = Self.formats.joined(separator: ", ")
    if name.contains("://") {
      throw target.error(.badArgument, "`\(name)` is a URL; only files can be saved")
    }
    let found = try format.map { table.named(try $0.choice()) } ?? table.format(ofFileNamed: stem)
    guard let found else {
      throw target.error(
        .badArgument,
        "the extension of `\(name)` does not determine a format; add `format:` with one of \(names)")
    }
    guard found.writing != nil else {
      throw (format ?? target).error(
        .badArgument, "\(found.name) cannot be written; formats that can are \(names)")
    }
    self.init(
      path: session.resolve(name, at: target), name: name, contentName: stem, format: found,
      codec: codec)
  }
}
