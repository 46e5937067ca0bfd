import ArgumentParser

extension DSShell {
  /// The command line, where nothing but `--output`, `-c` and words are on it, in this order: what the
  /// parser makes of it, without the parser. Its look at types takes longer than all else that a start
  /// does.
  ///
  /// - Returns: nil for everything else, mistakes among it.
  init?(plain words: [String]) {
    self.init()
    var rest = words[...]
    output = nil
    if rest.first == "--output", let name = rest.dropFirst().first {
      guard let style = StyleName(argument: name) else { return nil }
      output = style
      rest = rest.dropFirst(2)
    }
    c = nil
    if rest.first == "-c", let commands = rest.dropFirst().first {
      c = commands
      rest = rest.dropFirst(2)
    }
    guard rest.allSatisfy({ !$0.hasPrefix("-") || $0 == "-" }) else { return nil }
    self.words = Array(rest)
    keepGoing = false
    noColor = false
  }

  /// The command line as the parser has it.
  init(parsing words: [String]) throws { self = try Self.parse(words) }
}
