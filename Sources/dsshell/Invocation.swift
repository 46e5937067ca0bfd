import DSInterpreter
import DataSources

/// A command line: its options, and the roles of its words.
struct Invocation {
  let options: CommandLineOptions
  /// Files, URLs and databases, which are loaded first.
  let data: [String]
  /// The scripts that run over the data; `-` is standard input.
  let scripts: [String]
  /// The words that `args` holds.
  let arguments: [String]

  /// - Parameter words: the command line without the name of the program.
  /// - Throws: the errors of the argument parser.
  init(_ words: some Collection<String>) throws {
    // Words after `--` belong to the scripts, even those that look like options.
    let own = words.prefix { $0 != "--" }
    let rest = words.dropFirst(own.count + 1)
    options = try Self.options(Array(own))
    let others: ArraySlice<String>
    if options.commands != nil {
      // The parser does not report where the words were. Those before `-c` are data.
      data = try Self.options(own.prefix { !$0.hasPrefix("-c") }).words
      scripts = []
      others = options.words.dropFirst(data.count)
    } else {
      data = Array(options.words.prefix { !Script.isNamed(by: $0) })
      let first = options.words.dropFirst(data.count).prefix(1)
      let further = options.words.dropFirst(data.count + 1).prefix { $0.hasSuffix(".ds") }
      scripts = Array(first + further)
      others = options.words.dropFirst(data.count + scripts.count)
    }
    arguments = Array(others) + rest
  }

  private static func options(_ words: some Collection<String>) throws -> CommandLineOptions {
    try CommandLineOptions(simple: Array(words)) ?? CommandLineOptions(parsing: Array(words))
  }
}

extension Script {
  /// Whether a word of the command line names a script: standard input, a path that ends in `.ds`,
  /// or a regular file that begins with `#!`, also after a byte order mark.
  static func isNamed(by word: String) -> Bool {
    if word == standardInput || word.hasSuffix(".ds") { return true }
    guard FilePath.isRegularFile(word),
      var start = (try? EngineFile.firstBytes(5, of: word))?[...]
    else { return false }
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    return start.starts(with: "#!".utf8)
  }
}
