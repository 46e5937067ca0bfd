import ArgumentParser

/// The values of the options and words of a command line.
///
/// `DSShell` declares the same values for the argument parser. Creating one registers all its names,
/// which takes as many instructions as the rest of the start, so a simple command line is read
/// without it.
struct CommandLineOptions {
  /// The commands of `-c`.
  var commands: String?
  var output: StyleName?
  var keepsGoing = false
  var usesNoColor = false
  var isPlain = false
  var isSafe = false
  var completions: CompletionShellName?
  var printsManual = false
  /// Data, scripts and their arguments.
  var words: [String] = []

  /// Reads a command line of only `--output`, words, `-c` and more words, in this order, with the
  /// same result as the argument parser.
  ///
  /// - Returns: nil for every other command line, including invalid ones.
  init?(simple words: [String]) {
    var rest = words[...]
    if rest.first == "--output", let name = rest.dropFirst().first {
      guard let style = StyleName(argument: name) else { return nil }
      output = style
      rest = rest.dropFirst(2)
    }
    // A lone `-` names standard input.
    let data = rest.prefix { !$0.hasPrefix("-") || $0 == "-" }
    rest = rest.dropFirst(data.count)
    if rest.first == "-c", let commands = rest.dropFirst().first {
      self.commands = commands
      rest = rest.dropFirst(2)
    }
    guard rest.allSatisfy({ !$0.hasPrefix("-") || $0 == "-" }) else { return nil }
    self.words = Array(data + rest)
  }

  /// Reads any command line with the argument parser.
  ///
  /// - Throws: the errors of the argument parser.
  init(parsing words: [String]) throws {
    let parsed = try DSShell.parse(words)
    commands = parsed.c
    output = parsed.output
    keepsGoing = parsed.keepGoing
    usesNoColor = parsed.noColor
    isPlain = parsed.plain
    isSafe = parsed.safe
    completions = parsed.completions
    printsManual = parsed.manual
    self.words = parsed.words
  }
}
