/// An argument that follows a verb by position.
package struct Parameter: Sendable {
  package enum Count: Sendable {
    case one, optional, repeated
    /// At least one, with commas between them.
    case list
  }
  /// The name that synopses show: `SOURCE`.
  package let name: String
  package let type: ArgumentType
  package let count: Count

  package init(_ name: String, _ type: ArgumentType, _ count: Count = .one) {
    self.name = name
    self.type = type
    self.count = count
  }

  /// A parameter with the name of its type: `FILE`.
  package init(_ type: ArgumentType, _ count: Count = .one) {
    self.init(type.placeholder, type, count)
  }

  /// `SOURCE`, `[SECTION]`, `NAME …`
  var notation: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .repeated: "\(name) …"
    case .list: "\(name), …"
    }
  }

  package static let source = Parameter(.source)
  static let database = Parameter(.database)
  static let optionalSource = Parameter(.source, .optional)
  static let indexPath = Parameter(.indexPath)
  static let section = Parameter(.section, .optional)
  static let setting = Parameter(.choice(Choices("setting", OnOff.self)), .optional)
}

/// An argument that a command accepts by name.
package struct Label: Sendable {
  package let name: String
  package let type: ArgumentType
  /// One clause for help. If it is nil, help shows the words of the choice, else the type's phrase.
  private let summary: String?
  /// A value for help and for the error about a missing value.
  package let example: String
  /// Whether the label of a list or record may be given repeatedly, so that a suggested label can be
  /// appended: the elements are added; a later value of a key replaces an earlier one.
  let isRepeatable: Bool

  package init(
    _ name: String, _ type: ArgumentType, _ summary: String? = nil, example: String,
    isRepeatable: Bool = false
  ) {
    self.isRepeatable = isRepeatable
    self.name = name
    self.type = type
    self.summary = summary
    self.example = example
  }

  /// `key path; omit it for one section`, `runs (default) strict groups`
  var help: String { summary ?? type.choices?.description ?? type.phrase }

  /// The example; empty if ``help`` lists the words of a choice.
  var helpExample: String { summary == nil && type.choices != nil ? "" : example }

  /// `[mode: MODE]`
  var notation: String { "[\(name): \(type.placeholder)]" }

  static let name = Label("name", .string, "name of the source", example: "Letters")
  static let title = Label(
    "name", .string, "name of the source and title of its section", example: "Foods")
  static let id = Label(
    "id", .keyPath(.someRows), "key path that identifies objects in changes", example: "number")
  static let source = Label("source", .source, "another source to wrap", example: "foods")
}
