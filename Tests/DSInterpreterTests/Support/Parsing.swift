import DataTables

@testable import DSInterpreter

/// The verbs of the parser's tests: they parse like all others, and do nothing.
struct ForeignCommand: Command {
  static let names = [
    "load", "simple", "sectioned", "fetch", "sections", "titles", "object", "indexPath", "count",
    "set", "show", "events", "tree", "describe", "remote", "watch", "insert", "remove", "explain",
    "organized", "multi", "filtered", "print2", "update",
  ]
  private static let value = Parameter("VALUE", .value, .repeated)
  static let parameters = [value]
  static let labels = ["key", "sort", "mode", "name", "where", "types", "delimiter", "keyPath"]
    .map { Label($0, .value, "value", example: "x") }
  static let summary = "Stands for any verb."
  static let examples: [String] = []

  init(parsing arguments: inout Arguments) throws {
    while try arguments.take(Self.value) != nil {}
  }

  func run(in session: inout Session) async throws -> CommandResult { CommandResult() }
}

struct ForeignPrintCommand: CommandDeclaration {
  static let names = ["print"]
  static let parameters = [Parameter("EXPRESSION", .expression)]
  static let summary = "Takes an expression."
  static let examples: [String] = []
  static let form = CommandForm.expression
}

let foreignCommands = CommandTable([
  CommandTable.Group(
    "all",
    [
      ForeignCommand.self, ForeignPrintCommand.self, ExpectCommand.self, RequireCommand.self,
    ])
])

func parse(_ text: String) -> (lines: [Line], mistakes: [Diagnostic]) {
  let script = ScriptText(text)
  return Parser.parse(Span(script, 0..<script.bytes.count), commands: foreignCommands)
}

/// The arguments of the only command as strings: `"Pie"` for a quoted one.
func atoms(_ text: String) -> [String] {
  guard case .pipe(let pipe)? = parse(text).lines.first?.kind else { return [] }
  return pipe.stages.last?.atoms.map(written) ?? []
}

/// The labels of the only command with their groups.
func labels(_ text: String) -> [String: [[String]]] {
  guard case .pipe(let pipe)? = parse(text).lines.first?.kind else { return [:] }
  var found: [String: [[String]]] = [:]
  for label in pipe.stages.last?.labels ?? [] {
    if case .groups(let groups) = label.content {
      found[label.label.text] = groups.map { $0.map(written) }
    }
  }
  return found
}

func written(_ atom: Atom) -> String {
  switch atom.kind {
  case .word(let text): text
  case .quoted(let text): "\"\(text)\""
  case .list(let atoms): "[" + atoms.map(written).joined(separator: ", ") + "]"
  case .record(let pairs):
    "{" + pairs.map { "\($0.key.text): \(written($0.value))" }.joined(separator: ", ") + "}"
  case .parenthesized(let pipe): pipe.stages.isEmpty ? "(expression)" : "(command)"
  case .environment(let name): "env \(name)"
  case .interpolated(let interpolation): written(interpolation)
  }
}

func written(_ interpolation: Interpolation) -> String {
  let parts = interpolation.segments.map { segment in
    switch segment {
    case .text(let text): text
    case .value(let expression): "\\(" + written(expression) + ")"
    }
  }
  return "\"" + parts.joined() + "\""
}

/// An expression with all brackets.
func written(_ expression: Expression) -> String {
  switch expression.kind {
  case .literal(let value): return value.json
  case .name(let name): return name
  case .list(let elements): return "[" + elements.map(written).joined(separator: ", ") + "]"
  case .set(let elements): return "{" + elements.map(written).joined(separator: ", ") + "}"
  case .record(let pairs):
    return "{" + pairs.map { "\($0.key.text): \(written($0.value))" }.joined(separator: ", ") + "}"
  case .command: return "(command)"
  case .path(let base, let steps): return written(base) + steps.map(written).joined()
  case .not(let operand): return "!(\(written(operand)))"
  case .and(let operands): return "(" + operands.map(written).joined(separator: " && ") + ")"
  case .or(let operands): return "(" + operands.map(written).joined(separator: " || ") + ")"
  case .comparison(let comparison):
    let comparisonOperator = comparison.operator
    let quantifier = comparisonOperator.quantifier.map { "\($0) " } ?? ""
    let options =
      comparisonOperator.options.isEmpty ? "" : "[\(comparisonOperator.options.rawValue)]"
    return
      "(\(quantifier)\(written(comparison.left)) \(comparisonOperator.kind.rawValue)\(options) "
      + "\(written(comparison.right)))"
  case .variable(let name): return "$\(name)"
  case .call(let call):
    let name = if case .value(let function) = call.function { function.name } else { "now" }
    return "\(name)(" + call.arguments.map(written).joined(separator: ", ") + ")"
  case .conditional(let condition, let first, let second):
    return "TERNARY(\(written(condition)), \(written(first)), \(written(second)))"
  case .interpolated(let interpolation): return written(interpolation)
  case .subquery(let subquery):
    return "SUBQUERY(\(written(subquery.list)), $\(subquery.variable), "
      + "\(written(subquery.predicate)))"
  }
}

private func written(_ step: PathStep) -> String {
  switch step.kind {
  case .key(let key): ".\(key)"
  case .index(let numbers): "\(numbers)"
  case .range(let lower, let upper):
    "[\(lower.map(String.init) ?? ""):\(upper.map(String.init) ?? "")]"
  }
}

/// The expression of `print …` with all brackets, or the error message.
func expression(_ text: String) -> String {
  let parsed = parse("print " + text)
  if let mistake = parsed.mistakes.first { return "error: " + mistake.message }
  guard case .pipe(let pipe)? = parsed.lines.first?.kind else { return "nothing" }
  return pipe.stages.first?.expression.map(written) ?? "no expression"
}
