import ArgumentParser

// Not in the file that declares `DSShell`: with Swift 6.3, the properties assigned below are then read as
// uninitialized, and the process ends.
extension DSShell {
  /// Reads a command line that consists of `--output`, `-c` and words only, in this order, as the
  /// argument parser would. The parser itself reflects on types, which takes longer than the rest of
  /// the start.
  ///
  /// - Returns: nil for every other command line, wrong ones included.
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

  /// Reads any command line with the argument parser.
  init(parsing words: [String]) throws { self = try Self.parse(words) }
}
