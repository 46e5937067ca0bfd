import ArgumentParser
import DataTables

/// An option of the command line, as the argument parser declares it.
struct CommandLineOption {
  /// `-c`; nil without a short name.
  let shortName: String?
  /// `--output`; nil without a long name.
  let longName: String?
  /// The placeholder of the value; nil for a flag.
  let valueName: String?
  /// The words that the value can be; empty for any value.
  let values: [String]
  /// One sentence.
  let summary: String

  /// Whether the value is optional and follows `=`, as in `--shuffle=seed`.
  var hasOptionalValue: Bool { valueName?.first == "=" }

  fileprivate static func all(of command: (some ParsableCommand).Type) -> [CommandLineOption] {
    guard let description = try? Value(json: command._dumpHelp()),
      case .record(let root) = description, case .record(let declared) = root["command"],
      case .array(let arguments) = declared["arguments"]
    else { return [] }
    return arguments.compactMap(CommandLineOption.init)
  }

  private init?(_ argument: Value) {
    guard case .record(let argument) = argument, argument["shouldDisplay"] == true,
      case .array(let names) = argument["names"]
    else { return nil }
    shortName = Self.name(in: names, kind: "short").map { "-" + $0 }
    longName = Self.name(in: names, kind: "long").map { "--" + $0 }
    valueName = argument["kind"] == "option" ? argument["valueName"]?.text : nil
    values = argument["allValues"]?.texts ?? argument["completionKind"]?.listedValues ?? []
    summary = argument["abstract"]?.text ?? ""
  }

  private static func name(in names: [Value], kind: Value) -> String? {
    let found = names.lazy.compactMap { name -> String? in
      guard case .record(let name) = name, name["kind"] == kind else { return nil }
      return name["name"]?.text
    }
    return found.first
  }
}

/// A command as the argument parser declares it.
struct CommandLineDescription {
  /// One sentence.
  let summary: String
  let usage: String
  /// Paragraphs with empty lines between them.
  let discussion: String
  /// In the order of their declarations.
  let options: [CommandLineOption]

  init(_ command: (some ParsableCommand).Type) {
    summary = command.configuration.abstract
    usage = command.configuration.usage ?? ""
    discussion = command.configuration.discussion
    options = CommandLineOption.all(of: command)
  }
}

extension Value {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var texts: [String]? {
    if case .array(let values) = self { values.compactMap(\.text) } else { nil }
  }

  /// The words of a `completion:` that lists them.
  fileprivate var listedValues: [String]? {
    guard case .record(let kind) = self, case .record(let list) = kind["list"] else { return nil }
    return list["values"]?.texts
  }
}
