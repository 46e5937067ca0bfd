import DSInterpreter
import DataSources
import Glibc

/// The words of a command line that name data.
enum DataWords {
  /// The error of the first word that names a file that does not exist; nil if there is none.
  ///
  /// URLs, patterns and files that cannot be read are left to the commands that load them.
  static func missing(in words: [String]) -> Diagnostic? {
    words.lazy.compactMap(error).first
  }

  /// The files and folders that words name, and the folders in which patterns select files.
  static func places(of words: [String]) -> [String] {
    words.filter { !isStreamOrURL($0) }.map { word in
      let path = FilePath.expandingHome(word)
      if access(path, F_OK) == 0 { return path }
      return FilePattern(path)?.folder ?? path
    }
  }

  private static func isStreamOrURL(_ word: String) -> Bool {
    word == Script.standardInput || word.contains("://") || word.hasPrefix("file:")
  }

  private static func error(of word: String) -> Diagnostic? {
    if isStreamOrURL(word) { return nil }
    let path = FilePath.expandingHome(word)
    if access(path, F_OK) == 0 || errno == EACCES { return nil }
    let reason = String(cString: strerror(errno))
    if word.contains(where: { "*?[".contains($0) }) { return nil }
    let verb = word.prefix { $0 != " " }
    if CommandTable.standard[String(verb)] != nil {
      let command = verb == word ? "\(word) …" : word
      return Diagnostic(
        .io, "`\(word)` is not a file; `dsshell -c '\(command)'` runs a command")
    }
    let folder = FilePath.folder(of: path)
    let lead = folder.isEmpty ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let names = Folder.names(in: folder.isEmpty ? "." : folder).filter { !$0.hasSuffix("/") }
    let near = Suggestion.nearest(to: path, among: names.map { lead + $0 })
    return Diagnostic(.io, "cannot read `\(word)`: \(reason)", suggestion: near)
  }
}

extension ScriptRunner {
  /// Loads files, URLs and databases in order, up to the first that fails.
  ///
  /// - Returns: the ending of the first load that did not succeed.
  mutating func load(_ words: [String], results: ResultDisplay = .all) async -> Ending {
    var ending = Ending.done
    for word in words {
      let command = interpreter.session.command(loading: word)
      let next = await run(Script(text: command), results: results)
      if ending == .done { ending = next }
      if next != .done && !(next == .failed && keepsGoing) { break }
    }
    return ending
  }
}
