/// A label that changes one part of a `Target`, such as the read options of a file.
struct Setting<Target>: Sendable {
  let label: Label
  /// Applies the values of the label; nil restores the default.
  private let apply:
    @Sendable (_ values: [Argument]?, inout Target, inout Session) async throws -> Void

  /// A label with a list of values.
  init(
    list label: Label,
    _ apply:
      @escaping @Sendable (_ values: [Argument]?, inout Target, inout Session) async throws -> Void
  ) {
    self.label = label
    self.apply = apply
  }

  /// A label with one value, which sets a property.
  init<Value: Sendable>(
    _ label: Label, _ property: any WritableKeyPath<Target, Value> & Sendable,
    default defaultValue: Value,
    _ read: @escaping @Sendable (Argument, inout Session) async throws -> Value
  ) {
    self.init(list: label) { values, target, session in
      guard let value = values?.first else {
        target[keyPath: property] = defaultValue
        return
      }
      target[keyPath: property] = try await read(value, &session)
    }
  }

  fileprivate func apply(
    _ values: [Argument], to target: inout Target, in session: inout Session
  ) async throws {
    let isNull = values.count == 1 && values[0].isNull
    try await apply(isNull ? nil : values, &target, &session)
  }
}

/// The settings whose labels a command has, with their values.
struct GivenSettings<Target> {
  private let given: [(setting: Setting<Target>, values: [Argument])]
  private let labels: [LabeledValue]

  init(_ settings: [Setting<Target>], parsing arguments: Arguments) throws {
    labels = arguments.stage.labels
    given = try settings.compactMap { setting in
      let isList = if case .list = setting.label.type { true } else { false }
      let values =
        isList ? arguments.list(setting.label) : try arguments[setting.label].map { [$0] }
      return values.map { (setting, $0) }
    }
  }

  /// The value of a label that accepts one value; nil if the label is not given.
  subscript(label: Label) -> Argument? {
    given.first { $0.setting.label.name == label.name }?.values.first
  }

  /// The location of a label; nil if it is not given.
  func span(ofLabel name: String) -> Span? {
    labels.first { $0.label.text == name }?.label.span
  }

  /// A message that names the given labels which its suggestions replace, because a label cannot be
  /// given twice: ``…; it has `sheet: "2024"`; replace `sheet: Nope` ``, or for a label after `use`,
  /// ``replace `format: json` with `format: csv` ``.
  ///
  /// A message that has `replace` before a label says so itself.
  func withReplacements(_ message: String) -> String {
    let quoted = message.split(separator: "`", omittingEmptySubsequences: false)
    var message = message
    var replaced: [String] = []
    for index in stride(from: 1, to: quoted.count, by: 2) {
      let name = quoted[index].prefix { $0 != ":" }
      guard name.count + 1 < quoted[index].count, !message.contains("replace `\(name):"),
        let setting = given.first(where: { $0.setting.label.name == name })?.setting,
        !setting.label.isRepeatable, let label = labels.first(where: { $0.label.text == name })
      else { continue }
      let text = label.span.text.split(separator: "\n").joined(separator: " ")
      // A message may also show the label as it is.
      if quoted[index] == text { continue }
      let short = text.count <= Self.maxShown && !text.contains("`") ? text : "\(name):"
      if message.contains("use `\(name):") {
        message = message.replacing("use `\(name):", with: "replace `\(short)` with `\(name):")
      } else if !replaced.contains(short) {
        replaced.append(short)
      }
    }
    if replaced.isEmpty { return message }
    return message + "; replace " + replaced.map { "`\($0)`" }.joined(separator: " and ")
  }

  /// A longer label is shown without its value.
  private static var maxShown: Int { 60 }

  /// Changes the settings that are given, in their declared order.
  func apply(to target: inout Target, in session: inout Session) async throws {
    for (setting, values) in given {
      try await setting.apply(values, to: &target, in: &session)
    }
  }
}
