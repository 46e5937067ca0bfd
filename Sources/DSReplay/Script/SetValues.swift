import DSInterpreter
import DataSources
package import DataTables

// Values of `--set`.
extension ReplayScript {
  /// The first line that binds a name of `--set` again, so that the value has no effect.
  func mistake(inUseOf values: [String: Value]) -> Diagnostic? {
    if values.isEmpty { return nil }
    if let each, values[each.name] != nil {
      return Diagnostic(
        .syntax,
        "`each` replaces the value of `--set \(each.name)`; omit it, and select files by `--filter`",
        at: Span(source, source.line(each.line)))
    }
    if let binding = firstBinding(of: Set(values.keys), includesDirectives: false) {
      return Diagnostic(
        .syntax,
        "`let` replaces the value of `--set \(binding.name)`; write `#% set \(binding.name) = …` "
          + "for the usual value",
        at: binding.span)
    }
    return allAttachedScripts.lazy.compactMap { $0.mistake(inUseOf: values) }.first
  }

  /// The first command, or else the first `set` directive, that binds one of some names.
  func firstBinding(
    of names: Set<String>, includesDirectives: Bool = true
  ) -> (verb: String, name: String, span: Span)? {
    for command in commands {
      for case .line(let line) in command.parts {
        guard let name = line.boundName, names.contains(name.text) else { continue }
        return ("let", name.text, name.span)
      }
    }
    if !includesDirectives { return nil }
    for step in steps {
      guard case .set(let name, _) = step.directive, names.contains(name) else { continue }
      return ("set", name, Span(source, source.line(step.line)))
    }
    return nil
  }
}

/// The values of `--set NAME=VALUE`.
package enum SetValues {
  package struct Mistake: Error {
    package let message: String
  }

  /// - Parameters:
  ///   - options: the values of the options, in order.
  ///   - paths: the scripts.
  /// - Throws: ``Mistake`` for an option without `=`, for a name that no script reads, and for a value
  ///   that is not a constant.
  package static func read(
    _ options: [String], ofScriptsAt paths: [String]
  ) throws(Mistake) -> [String: Value] {
    let values = try read(options)
    if let unknown = unknownName(in: Array(values.keys), ofScriptsAt: paths) {
      throw Mistake(message: unknown)
    }
    return values
  }

  static func read(_ options: [String]) throws(Mistake) -> [String: Value] {
    var values: [String: Value] = [:]
    for option in options {
      guard let equals = option.firstIndex(of: "=") else {
        throw Mistake(message: "`--set \(option)` has no value; write `--set \(option)=100`")
      }
      let name = String(option[..<equals])
      let text = String(option[option.index(after: equals)...])
      guard !name.isEmpty else {
        throw Mistake(
          message: "`--set \(option)` has no name; write `--set NAME=VALUE`, such as "
            + "`--set rows=100`")
      }
      guard Directive.isName(name) else {
        throw Mistake(
          message: "`\(name)` is not a name; write `--set NAME=VALUE`, such as `--set rows=100`")
      }
      guard let value = Value.constant(text) else {
        throw Mistake(
          message: text.isEmpty
            ? "`--set \(name)=` has no value; write `--set '\(name)=\"\"'` for the empty string"
            : "`\(text)` is not a constant, such as 100, true, Pie or \"Apple pie\"")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw Mistake(message: "`--set` has the name `\(name)` twice")
      }
    }
    return values
  }

  /// The name that no script mentions, if there is one, as an error message.
  ///
  /// - Parameter paths: the scripts. One that cannot be read is reported when it is run.
  private static func unknownName(
    in names: [String], ofScriptsAt paths: [String]
  ) -> String? {
    if names.isEmpty { return nil }
    var mentioned: Set<String> = []
    for path in paths where !names.allSatisfy(mentioned.contains) {
      guard let text = try? TextFile.read(path, cancellation: Cancellation()) else { continue }
      let script = ReplayScript(text, path: path)
      for script in [script] + script.allAttachedScripts {
        mentioned.formUnion(script.mentionedNames)
      }
    }
    guard let unknown = names.sorted().first(where: { !mentioned.contains($0) }) else { return nil }
    let near = Suggestion.nearest(to: unknown, among: mentioned.sorted())
    return "no script reads `\(unknown)`, the name in `--set \(unknown)=…`"
      + (near.map { "; did you mean `\($0)`?" } ?? "")
  }
}

extension ReplayScript {
  /// The names that its commands mention, and those of its `set` directives.
  fileprivate var mentionedNames: Set<String> {
    var names = namesInCommands
    for step in steps { if case .set(let name, _) = step.directive { names.insert(name) } }
    return names
  }

  /// The names that its commands mention.
  var namesInCommands: Set<String> {
    commands.reduce(into: []) { $0.formUnion(MentionedNames.names(in: $1.text)) }
  }
}
