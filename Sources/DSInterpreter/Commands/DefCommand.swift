import DataTables

/// `def NAME ARGUMENT… LABEL: DEFAULT… { … }`
struct DefCommand: BlockCommand {
  static let names = ["def"]
  static let synopsis = "def NAME ARGUMENT … LABEL: DEFAULT … { LINES }"
  static let summary = "Defines a command of the session."
  static let notes = [
    "The arguments and the labels are names in the lines: a source where the argument names one, else a",
    "value, which `$name` inserts, also as a key. A call has the value of its last line, so it can be",
    "bound with `let` and continued with `|`. Names that the lines bind with `let` are their own.",
  ]
  static let examples = [
    "def byKey X key { sectioned X key: $key sort: $key | fetch }; let kinds = byKey foods kind",
    "def sample X n: 2 { limit X $n | fetch }; foods | sample n: 3",
  ]
  static let seeAlso = ["for", "if", "source"]
  static let form = CommandForm.block(.definition)

  private let definition: Definition

  init(parsing arguments: inout Arguments) throws {
    guard let definition = arguments.stage.definition else {
      throw arguments.missing("a name")
    }
    self.definition = definition
  }

  func run(
    in session: inout Session, body: BlockBody
  ) async throws -> (result: CommandResult, ending: ExecutionOutcome) {
    session.commands.define(definition)
    session.execution.boundNames.insert(definition.signature.name)
    return (CommandResult(), .done)
  }
}
