import DataSources
import DataTables
import Databases

/// The tables and columns that a line can name.
struct DatabaseWords {
  /// The tables of the databases that have names, as they are typed: `shop.people`.
  fileprivate(set) var tables: [String] = []
  /// The names of the databases.
  fileprivate(set) var databases: [String] = []
  /// The columns of the table that the command is about; nil if it names none.
  fileprivate(set) var columns: [String]?
  /// The tables that `table:` can name in the file of the command; nil for another label, and
  /// without such a file.
  fileprivate(set) var tablesOfFile: [String]?

  /// The words that may complete a word that begins with the name of a database and a dot; nil for
  /// other words.
  func words(for prefix: String) -> [String]? {
    guard databases.contains(where: { prefix.hasPrefix($0 + ".") }) else { return nil }
    if let table = tables.first(where: { prefix.hasPrefix($0 + ".") && !tables.contains(prefix) }) {
      return SourceProperty.all.map { "\(table).\($0.name)" }
        + tables.filter { $0.hasPrefix(table + ".") }
    }
    return tables
  }

  /// The tables that complete a word: those of a few databases at once, else their databases.
  func tables(under prefix: String) -> [String] {
    if prefix.isEmpty || tables.count > 30 { return databases.map { $0 + "." } }
    return tables
  }
}

extension Session {
  /// The tables and columns for an unfinished line. Only the database that the line names is asked.
  func databaseWords(for context: CompletionContext) async -> DatabaseWords {
    var words = DatabaseWords()
    if context.frame.label == "table", context.frame.group.isEmpty {
      for word in context.words where words.tablesOfFile == nil {
        words.tablesOfFile = await tables(ofFile: word)
      }
    }
    for binding in bindings {
      guard case .database(let opened) = binding.value else { continue }
      let isNamed = context.word.text.hasPrefix(binding.name + ".")
      let tables = isNamed ? await opened.names.currentTables() : opened.names.tables
      words.databases.append(binding.name)
      words.tables += tables.map { table in
        let parts = [table.schema, table.name].compactMap { $0 }
        return binding.name + parts.map { ".\(ObjectKeyPath(key: $0))" }.joined()
      }
    }
    guard !words.databases.isEmpty else { return words }
    for word in context.words {
      if case .source? = names[word] { break }
      guard let (database, path) = try? tablePath(word) else { continue }
      words.columns = await database.names.columns(of: path)
      break
    }
    return words
  }

  /// The tables of a file of a database that a word can name; nil if the file is not one, or cannot
  /// be read now.
  private func tables(ofFile path: String) async -> [String]? {
    let path = FilePath.resolve(FilePath.expandingHome(path), in: self.options.folder)
    guard let bytes = try? EngineFile.firstBytes(16, of: path),
      let driver = drivers.driver(firstBytes: bytes),
      let file = try? EngineFile.path(of: path, isWritable: false)
    else { return nil }
    var options = ConnectionOptions()
    options.timeout = .milliseconds(100)
    let connection = try? await driver.connect(
      DatabaseAddress(file: file), options, Cancellation())
    guard let connection else { return nil }
    let tables = try? await connection.tableNames(cancellation: Cancellation())
    await connection.close()
    return tables?.map(\.name).filter { SuggestedLabels.written($0) == $0 }
  }
}
