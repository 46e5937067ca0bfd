import DataTables
import Glibc

/// The data that examples use.
enum ExampleData {
  private static let foods = "load data/foods.csv"
  private static let letters =
    "let letters = sectioned foods key: name.firstCharacter sort: name | fetch"
  private static let database = [
    "let shop = open company.sqlite write: true",
    "let staff = simple [{id: 7, name: Ann, city: Oslo, age: 41, dept: A, sal: 100}]",
    "save staff shop.people overwrite: true",
    "let staff = fetchedResults shop.people sort: name | fetch",
  ]

  /// The commands that create everything that examples may use; those for the database only where
  /// an example uses it.
  static func all(for examples: [String]) -> [String] {
    [foods, letters] + (useDatabase(examples) ? database : [])
  }

  /// The commands without which the examples, run in order, name something that does not exist.
  static func needed(by examples: [String]) -> [String] {
    var bound: Set<String> = []
    var needed: Set<String> = []
    for example in examples {
      let script = ScriptText(example)
      let lines = Parser.parse(Span(script, 0..<script.bytes.count), commands: .standard).lines
      for line in lines {
        needed.formUnion(MentionedNames.names(in: line.span.text).subtracting(bound))
        if let name = line.nameToBind { bound.insert(name) }
      }
    }
    let usesLetters = needed.contains("letters")
    return (usesLetters || needed.contains("foods") ? [foods] : [])
      + (usesLetters ? [letters] : []) + (useDatabase(examples) ? database : [])
  }

  private static func useDatabase(_ examples: [String]) -> Bool {
    examples.contains { $0.contains("shop") || $0.contains("staff") }
  }
}

extension Line {
  /// The name that `let` or the `load` of a file binds.
  fileprivate var nameToBind: String? {
    switch kind {
    case .binding(let name, _): return name.text
    case .pipe(let pipe):
      guard let stage = pipe.stages.first, stage.verb.text == "load",
        case .word(let path) = stage.atoms.first?.kind
      else { return nil }
      return FilePath.stem(of: path)
    }
  }
}

/// Examples as help shows them: they run as they stand in a new session.
struct ExampleLines {
  /// The folder that contains the folder `data` of the bundled data; nil if it is not known.
  let folder: String?

  func lines(of examples: [String]) -> [String] {
    if examples.isEmpty { return [] }
    let needed = ExampleData.needed(by: examples)
    return (needed + (needed.isEmpty ? [] : [""]) + examples).map { line in
      line.isEmpty ? "" : "  " + located(line)
    }
  }

  /// A command with the paths of bundled files as they are seen from the working folder.
  private func located(_ example: String) -> String {
    guard let folder = shownFolder, FilePath.written(folder) == folder else { return example }
    let words = example.split(separator: " ", omittingEmptySubsequences: false)
    return words.indices.map { index in
      // The value of a label is not a path.
      let isValue = index > 0 && words[index - 1].hasSuffix(":")
      return isValue ? String(words[index]) : located(word: words[index], in: folder)
    }.joined(separator: " ")
  }

  /// A folder in the working folder as a relative path; nil if it is the working folder.
  private var shownFolder: String? {
    guard let folder else { return nil }
    let relative = FilePath.relative(folder, to: ".")
    if relative.isEmpty { return nil }
    return relative.hasPrefix("..") ? folder : relative
  }

  private func located(word: Substring, in folder: String) -> String {
    let scheme = word.hasPrefix("file:") ? "file:" : ""
    let path = word.dropFirst(scheme.count)
    let name = path.prefix { $0 != ";" }
    let isBundled =
      name == "data" || name.hasPrefix("data/") || name.hasSuffix(".ds")
      || name.hasSuffix(".cassette")
    guard isBundled, access(folder + "/" + name.prefix { $0 != "*" }, F_OK) == 0 else {
      return String(word)
    }
    return scheme + folder + "/" + path
  }
}
