/// A verb that a script defines, with the lines that a call runs.
package final class Definition: VerbDefinition {
  package let signature: Signature
  /// The values of the labels that are not given, in the order of the signature.
  let defaults: [Atom]
  let lines: [Line]

  init(_ signature: Signature, defaults: [Atom], lines: [Line]) {
    self.signature = signature
    self.defaults = defaults
    self.lines = lines
  }
}

extension CommandTable {
  /// Declares the verbs that parsed commands define.
  package mutating func declareVerbs(of commands: [ParsedCommand]) {
    for case .line(let line) in commands {
      for stage in line.stages {
        if let definition = stage.definition { declare(definition.signature) }
      }
    }
  }
}
