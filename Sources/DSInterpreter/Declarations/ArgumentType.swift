/// The type of an argument, or of the value of a label.
///
/// It determines parsing, errors, help, completion, checks without running, and the columns that
/// `load` decodes ahead.
package indirect enum ArgumentType: Sendable {
  /// The name of a source, or a command in parentheses that returns one.
  case source
  /// The name of an open database, or a command in parentheses that opens one.
  case database
  case boundName
  case newName
  case keyPath(KeyPathUse)
  /// `key [asc|desc] [comparison], …`
  case sortDescriptors
  case predicate
  case expression
  /// `[section, row]`
  case indexPath
  /// `[section, row]`, or `[section]` for a child of a multi source.
  case place
  /// A place, or a list of index paths: `[[0, 1], [0, 3]]`.
  case places
  /// A place, or the row in the source that owns the objects. The source decides which of them it
  /// accepts.
  case position
  /// `5` or `[5]`
  case section
  /// The title of a section.
  case title
  /// A title of the section index.
  case indexTitle
  /// A key path that begins with a collection operator: `@sum.price`.
  case aggregate
  case value
  case record(of: ArgumentType)
  /// A list of objects, the name of a list, or a command in parentheses that returns a list.
  case objects
  case path(PathKind)
  /// A file, or a table of a database: `shop.people`.
  case target
  case choice(Choices)
  case boolean
  case integer(ClosedRange<Int>)
  /// A number above 0, which may have a fraction.
  case seconds(atMost: Int)
  /// A number from 0 to 1.
  case fraction
  case string
  /// One ASCII character, or `tab`.
  case character
  case url
  case locale
  case zone
  case verb
  case helpTopic
  /// A word that help mentions.
  case helpWord
  case outputStyle
  case stubbedURL
  /// A word of the kind that a noun names: `lesson`; see `SessionOptions.words`.
  case known(String)
  /// Elements with commas between them, with or without brackets.
  case list(ArgumentType)
  /// A value and the words that qualify it: `count desc`, `svg letters.svg`.
  case phrase(ArgumentType, then: ArgumentType)
  case either([ArgumentType])
}

/// The objects whose value at a key path is read, and the time of reading.
package enum KeyPathUse: Sendable {
  /// The next fetch reads the value in every row, so `load` decodes the column ahead.
  case everyRow
  /// The value is read only in the rows for which a result needs it.
  case someRows
  /// The value is read in the response of a server.
  case response
}

/// The files that completion offers for a path.
package enum PathKind: Sendable {
  case data, script, folder, file
  /// A file that does not exist yet: only its folder is offered.
  case newFile
}

/// The words of an enumeration.
package struct Choices: Sendable {
  /// The noun for one of the words in errors: `mode`.
  package let noun: String
  /// The words in the order of help. Completion offers these words and no aliases.
  package let words: [String]
  /// Other names that are accepted; suggestions offer them too.
  let aliases: [String]
  /// Returns whether a word that is neither in ``words`` nor in ``aliases`` is accepted.
  private let accepts: (@Sendable (String) -> Bool)?
  /// A noun phrase for the other words that are accepted, for errors.
  let others: String?
  /// Returns the error for a word that was meant as one of the others; nil for any other word.
  let refusal: (@Sendable (String) -> String?)?
  /// The word that applies if none is given.
  let defaultWord: String?

  package init(
    _ noun: String, _ words: [String], aliases: [String] = [], default defaultWord: String? = nil,
    accepting accepts: (@Sendable (String) -> Bool)? = nil, others: String? = nil,
    refusal: (@Sendable (String) -> String?)? = nil
  ) {
    self.noun = noun
    self.words = words
    self.aliases = aliases
    self.defaultWord = defaultWord
    self.accepts = accepts
    self.others = others
    self.refusal = refusal
  }

  package init<Case: CaseIterable & RawRepresentable>(
    _ noun: String, _ type: Case.Type, default defaultCase: Case? = nil
  ) where Case.RawValue == String {
    self.init(noun, type.allCases.map(\.rawValue), default: defaultCase?.rawValue)
  }

  /// `runs (default) strict groups`
  var description: String {
    words.map { $0 == defaultWord ? "\($0) (default)" : $0 }.joined(separator: " ")
  }

  /// `red`, `green` or `blue`
  fileprivate var quoted: String {
    let quoted = words.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  func contains(_ word: String) -> Bool {
    words.contains(word) || aliases.contains(word) || accepts?(word) ?? false
  }
}

/// The values of a switch such as `timer`.
enum OnOff: String, CaseIterable {
  case on, off
}

extension ArgumentType {
  package static let nonNegativeInteger = ArgumentType.integer(0...Int.max)
  package static let positiveInteger = ArgumentType.integer(1...Int.max)
  /// The word `off`, which removes a cassette or a stub.
  static let off = ArgumentType.choice(Choices("setting", [OnOff.off.rawValue]))

  /// The noun phrase for the type in errors: `an index path`, `a non-negative integer`.
  package var phrase: String {
    switch self {
    case .source: "a source"
    case .database: "a database"
    case .boundName: "a name"
    case .newName: "a new name"
    case .keyPath: "a key path"
    case .sortDescriptors: "at least one sort descriptor"
    case .predicate: "a predicate"
    case .expression: "an expression"
    case .indexPath: "an index path"
    case .place: "an index path or a section"
    case .places: "index paths or a section"
    case .position: "an index path, a section or a row"
    case .section: "a section"
    case .title: "a title"
    case .indexTitle: "an index title"
    case .aggregate: "a collection operator"
    case .value: "an object"
    case .record: "a record such as `{key: value}`"
    case .objects: "a list of objects"
    case .path(.data), .path(.file), .path(.newFile): "a file"
    case .path(.script): "a script"
    case .path(.folder): "a folder"
    case .target: "a file or a table"
    case .choice(let choices) where choices.words.count <= 3:
      choices.quoted
    case .choice(let choices): "one of " + choices.words.joined(separator: ", ")
    case .boolean: "true or false"
    case .integer(0...Int.max): "a non-negative integer"
    case .integer(1...Int.max): "a positive integer"
    case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .seconds(let greatest): "a number of seconds above 0, at most \(greatest)"
    case .fraction: "a number from 0 to 1"
    case .string: "a string"
    case .character: "one ASCII character"
    case .url: "a URL"
    case .locale: "a locale"
    case .zone: "a time zone"
    case .verb: "a command"
    case .helpTopic: "a help topic"
    case .helpWord: "a word"
    case .outputStyle: "an output style"
    case .stubbedURL: "a URL"
    case .known(let noun): "a " + noun
    case .list(let element): "\(element.phrase), or several with commas between them"
    case .phrase(let first, _): first.phrase
    case .either(let types): types.map(\.phrase).joined(separator: " or ")
    }
  }

  /// The placeholder of a value in synopses: `KEYPATH`.
  package var placeholder: String {
    switch self {
    case .source: "SOURCE"
    case .database: "DATABASE"
    case .boundName: "NAME"
    case .newName: "NEWNAME"
    case .keyPath: "KEYPATH"
    case .sortDescriptors: "DESCRIPTORS"
    case .predicate: "PREDICATE"
    case .expression: "EXPRESSION"
    case .indexPath: "[SECTION, ROW]"
    case .place, .places: "[SECTION, ROW]|[SECTION]"
    case .position: "[SECTION, ROW]|[SECTION]|ROW"
    case .section: "SECTION"
    case .title, .indexTitle: "TITLE"
    case .aggregate: "OPERATOR"
    case .value: "OBJECT"
    case .record: "{KEY: VALUE, …}"
    case .objects: "[OBJECT, …]"
    case .path(.folder): "FOLDER"
    case .path: "FILE"
    case .target: "FILE|DATABASE.TABLE"
    case .choice(let choices) where choices.words.count <= 3: choices.words.joined(separator: "|")
    case .choice(let choices): choices.noun.uppercased()
    case .boolean: "true"
    case .integer, .seconds, .fraction: "N"
    case .string: "STRING"
    case .character: "CHARACTER"
    case .url, .stubbedURL: "URL"
    case .known(let noun): noun.uppercased()
    case .locale: "LOCALE"
    case .zone: "ZONE"
    case .verb: "COMMAND"
    case .helpTopic: "TOPIC"
    case .helpWord: "WORD"
    case .outputStyle: "STYLE"
    case .list(let element): element.placeholder + ", …"
    case .phrase(let first, _): first.placeholder
    case .either(let types): types.map(\.placeholder).joined(separator: "|")
    }
  }

  /// Whether values are index paths or sections.
  var isPlace: Bool {
    switch self {
    case .indexPath, .place, .places, .position, .section: true
    default: false
    }
  }

  /// The words of the first enumeration that the type accepts; nil if it accepts none.
  var choices: Choices? {
    switch self {
    case .choice(let choices): choices
    case .list(let element), .phrase(let element, _): element.choices
    case .either(let types): types.lazy.compactMap(\.choices).first
    default: nil
    }
  }

  /// Whether the next fetch reads the keys of the argument in every row.
  var readsEveryRow: Bool {
    switch self {
    case .keyPath(.everyRow), .sortDescriptors, .predicate, .aggregate: true
    case .list(let element), .phrase(let element, _): element.readsEveryRow
    case .either(let types): types.contains(where: \.readsEveryRow)
    default: false
    }
  }
}
