import DataSources
import DataTables

extension FileSaving {
  /// The names of the formats that can be written, with that of databases in files.
  static let formats = FormatTable.standard.formats
    .filter { $0.writing != nil || $0.name == databaseFormat }.map(\.name)
  static let databaseFormat = "sqlite"

  /// Whether a format has a name, also one that cannot be written.
  static func knows(_ format: String) -> Bool { FormatTable.standard.named(format) != nil }

  /// A file that the user names.
  /// - Parameter format: the value of `format:`; nil to use the extension.
  /// - Throws: ``Diagnostic`` of kind `badArgument` if the format is not known, or cannot be written.
  init(
    _ name: String, format: Argument?, at target: Argument, in session: inout Session
  ) throws {
    if name.contains("://") {
      throw target.error(.badArgument, "`\(name)` is a URL; only files can be saved")
    }
    try self.init(
      name, path: session.resolve(name, at: target), format: try format?.choice(),
      at: (format ?? target).span)
  }

  /// - Parameters:
  ///   - name: the path in messages.
  ///   - format: the name of a format; nil to use the extension.
  ///   - span: the place of errors.
  /// - Throws: ``Diagnostic`` of kind `badArgument` if the format is not known, or cannot be written.
  init(_ name: String, path: String, format: String?, at span: Span) throws {
    let table = FormatTable.standard
    let codec = table.codec(ofFileNamed: name)
    let stem = codec.map { table.contentName(ofFileNamed: name, codec: $0, inner: nil) } ?? name
    let found = format.map { table.named($0) } ?? table.format(ofFileNamed: stem)
    // A database cannot be compressed.
    let names = Self.formats.filter { codec == nil || $0 != Self.databaseFormat }
      .joined(separator: ", ")
    guard let found else {
      throw Diagnostic(
        .badArgument,
        "the extension of `\(name)` does not determine a format; add `format: csv` or another of "
          + names, at: span)
    }
    guard found.writing != nil else {
      throw Diagnostic(
        .badArgument, "\(found.name) cannot be written; formats that can be are \(names)", at: span)
    }
    self.init(path: path, name: name, contentName: stem, format: found, codec: codec)
  }
}

extension Argument {
  /// Writes a text to a file that the argument names.
  ///
  /// - Parameters:
  ///   - name: the path as the user typed it.
  ///   - path: the path from the folder of the process.
  /// - Throws: ``Diagnostic``: `conflict` for a file that exists, `badArgument` for an empty name, `io`
  ///   if it cannot be written.
  func write(_ text: String, toNewFile name: String, at path: String) throws {
    guard !name.isEmpty else { throw error(.badArgument, "a file needs a name") }
    let isNew: Bool
    do {
      isNew = try NewFile.write(text, to: path)
    } catch {
      throw self.error(error.kind, error.message)
    }
    guard isNew else { throw error(.conflict, "`\(name)` already exists; name a new file") }
  }
}
