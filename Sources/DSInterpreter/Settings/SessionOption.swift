import DataTables

/// A setting of the session, for `option`, completion and help.
struct SessionOption: Sendable {
  let name: String
  /// One clause for help.
  let summary: String
  /// The type of the value; `.outputStyle` stands for the styles that the session knows.
  let type: ArgumentType
  let value: @Sendable (Session) -> Value
  private let read: @Sendable (Argument, inout Session) throws -> Void

  /// Sets the value that an argument has.
  func set(_ argument: Argument, in session: inout Session) throws {
    let argument = argument.typed(type)
    try argument.check()
    try read(argument, &session)
  }

  static let all = [mode, timer, trace, rows, pager, limit, depth, memory, base]

  static let mode = SessionOption(
    name: "mode", summary: "output style (help mode)", type: .outputStyle,
    value: { .string($0.options.style) },
    read: { argument, session in
      session.options.style = try argument.style(of: session)
    })

  static let timer = SessionOption(
    name: "timer", summary: "on to show how long each command takes", type: onOff,
    value: { onOff($0.options.showsTime) },
    read: { argument, session in
      session.options.showsTime = try argument.choice(as: OnOff.self) == .on
    })

  static let trace = SessionOption(
    name: "trace", summary: "on to print events and statements as they happen", type: onOff,
    value: { onOff($0.options.traces) },
    read: { argument, session in
      session.options.traces = try argument.choice(as: OnOff.self) == .on
      session.traceStatements()
    })

  static let limit = SessionOption(
    name: "limit",
    summary: "most objects to copy from a database; null for all (explain)",
    type: .either([.nonNegativeInteger, .choice(Choices("limit", ["null"]))]),
    value: { $0.options.copyLimit.map(Value.integer) ?? .null },
    read: { argument, session in
      session.options.copyLimit =
        argument.isNull ? nil : try argument.typed(.nonNegativeInteger).integer()
    })

  static let depth = SessionOption(
    name: "depth", summary: "most sources below a source, one wrapping the next (tree)",
    type: .positiveInteger,
    value: { .integer($0.options.depthLimit) },
    read: { argument, session in
      let depth = try argument.typed(.positiveInteger).integer()
      guard depth <= SessionOptions.maxDepth else {
        throw argument.error(
          .badArgument, "the depth must be at most \(SessionOptions.maxDepth.grouped)")
      }
      session.options.depthLimit = depth
    })

  static let memory = SessionOption(
    name: "memory", summary: "most memory of the program in MiB; null for 4/5 of the machine's",
    type: .either([.positiveInteger, .choice(Choices("memory", ["null"]))]),
    value: { _ in MemoryLimit.bytes.map { .integer($0 >> 20) } ?? .null },
    read: { argument, session in
      MemoryLimit.bytes =
        argument.isNull
        ? nil : min(try argument.typed(.positiveInteger).integer(), 1 << 40) << 20
    })

  static let rows = SessionOption(
    name: "rows",
    summary: "most rows shown at once; null for all (more)",
    type: .either([.positiveInteger, .choice(Choices("limit", ["null"]))]),
    value: { $0.options.rows.map(Value.integer) ?? .null },
    read: { argument, session in
      session.options.rows =
        argument.isNull ? nil : try argument.typed(.positiveInteger).integer()
    })

  static let pager = SessionOption(
    name: "pager", summary: "on to show results that do not fit on the terminal in pages",
    type: onOff, value: { onOff($0.options.usesPager) },
    read: { argument, session in
      session.options.usesPager = try argument.choice(as: OnOff.self) == .on
    })

  static let base = SessionOption(
    name: "base",
    summary: "URL to which paths such as /foods are appended; null for none (remote, stub)",
    type: .either([.url, .choice(Choices("base", ["null"]))]),
    value: { $0.options.baseURL.map(Value.string) ?? .null },
    read: { argument, session in
      session.options.baseURL = argument.isNull ? nil : try argument.baseURL()
    })

  private static let onOff = ArgumentType.choice(Choices("setting", OnOff.self))

  private static func onOff(_ isOn: Bool) -> Value {
    .string((isOn ? OnOff.on : .off).rawValue)
  }
}

extension Argument {
  /// The name of a style that the session knows.
  func style(of session: Session) throws -> String {
    try choice(of: Choices("mode", session.options.styles.map(\.name)))
  }
}
