/// Help on a subject that several commands share.
package struct HelpTopic: Sendable {
  let name: String
  let lines: [String]
  /// Example commands, which run with the same sources as ``CommandDeclaration/examples``.
  let examples: [String]

  package init(name: String, lines: [String], examples: [String] = []) {
    self.name = name
    self.lines = lines
    self.examples = examples
  }
}
