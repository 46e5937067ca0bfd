import ArgumentParser

// This initializer must not be in the file that declares `DSShell`. There, Swift 6.3 compiles it to
// code that reads the assigned properties as uninitialized, and the process ends.
extension DSShell {
  /// Reads a command line of only `--output`, words, `-c` and more words, in this order, with the
  /// same result as the argument parser. The parser reflects on types, which takes longer than the rest of the
  /// startup.
  ///
  /// - Returns: nil for every other command line, including invalid ones.
  init?(plain words: [String]) {
    self.init()
    var rest = words[...]
    output = nil
    if rest.first == "--output", let name = rest.dropFirst().first {
      guard let style = StyleName(argument: name) else { return nil }
      output = style
      rest = rest.dropFirst(2)
    }
    // A lone `-` names standard input.
    let data = rest.prefix { !$0.hasPrefix("-") || $0 == "-" }
    rest = rest.dropFirst(data.count)
    c = nil
    if rest.first == "-c", let commands = rest.dropFirst().first {
      c = commands
      rest = rest.dropFirst(2)
    }
    guard rest.allSatisfy({ !$0.hasPrefix("-") || $0 == "-" }) else { return nil }
    self.words = Array(data + rest)
    keepGoing = false
    noColor = false
    completions = nil
    manual = false
  }

  /// Reads any command line with the argument parser.
  init(parsing words: [String]) throws { self = try Self.parse(words) }
}
