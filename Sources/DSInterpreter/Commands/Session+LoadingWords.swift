import DataSources
import Databases

// The words of a command line that name data.
extension Session {
  /// The command that loads a file, a folder, a pattern, a URL or a database.
  ///
  /// The first source gets the name that `load` or `open` chooses; the name of another one with the
  /// same name ends in a number.
  package func command(loading word: String) -> String {
    let (verb, name) = verb(loading: word)
    let command = "\(verb) \(FilePath.written(word))"
    guard names[name] != nil else { return command }
    let free = (2...).lazy.map { "\(name)\($0)" }.first { names[$0] == nil } ?? name
    return "let \(free) = \(command)"
  }

  private func verb(loading word: String) -> (verb: String, name: String) {
    let load = LoadCommand.names[0]
    if word.contains("://"), let address = try? DatabaseAddress(parsing: word),
      drivers.driver(scheme: address.scheme) != nil
    {
      return (OpenCommand.names[0], OpenCommand.name(of: address))
    }
    if LoadedName.isURL(word) { return (load, LoadedName.ofURL(word)) }
    let path = FilePath.resolve(FilePath.expandingHome(word), in: options.folder)
    if SimpleSource.isSelection(path) { return (load, LoadedName.ofFiles(word)) }
    // Only a regular file: reading the beginning of a pipe would remove it.
    if FilePath.isRegularFile(path), let bytes = try? EngineFile.firstBytes(16, of: path),
      drivers.driver(firstBytes: bytes) != nil
    {
      let address = DatabaseAddress(file: path, shown: word)
      return (OpenCommand.names[0], OpenCommand.name(of: address))
    }
    return (load, LoadedName.ofFile(word))
  }
}
