import CodeWriting
import DataSources
import DataTables

/// `code SOURCE LANGUAGE [FILE] [as: CLASSES]`
struct CodeCommand: Command {
  private static let language = Parameter(
    "LANGUAGE", .choice(Choices("language", CodeLanguage.allCases.map(\.rawValue))))
  private static let file = Parameter("FILE", .path(.file), .optional)
  private static let target = Label(
    "as", .choice(Choices("target", CodeTargets.all.map { $0.name })),
    "the classes to use; those that suit the source if omitted", example: "library")

  static let names = ["code"]
  static let parameters = [Parameter.source, language, file]
  static let labels = [target]
  static let summary = "Writes a source and those that it wraps as code of an app, with tests."
  static let notes =
    [
      "LANGUAGE is `swift` or `objc`. `as:` names the classes:"
    ] + CodeTargets.all.map { "  " + padded($0.name, to: 16) + $0.summary }
    + [
      "The tests contain the expectations of the session about these sources; a comment names those",
      "that code cannot check. FILE is a new file; the tests are written to a file beside it, with",
      "`Tests` after its name.",
    ]
  static let examples = [
    "code letters swift as: library", "code letters swift", "code letters objc",
  ]
  static let seeAlso = ["tree", "expect", "save"]

  private let source: SourceArgument
  private let language: Argument
  private let file: Argument?
  private let target: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    guard let language = try arguments.take(Self.language) else {
      throw arguments.missing("a language: `swift` or `objc`")
    }
    self.language = language
    file = try arguments.take(Self.file)
    target = try arguments[Self.target]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let root = try await source.source(in: &session)
    let language: CodeLanguage = try self.language.choice()
    let code = try await code(of: root, language, in: &session)
    guard let file, try await file.string(in: &session) != "-" else {
      let text = code.combined
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      var output = Output(.text(lines.map(String.init), data: .string(text)))
      output.keepsLines = true
      return CommandResult(.value(.string(text)), output)
    }
    return try await write(code, to: file, in: &session)
  }

  private func code(
    of root: any DataSource, _ language: CodeLanguage, in session: inout Session
  ) async throws -> GeneratedCode {
    let chain: SourceChain
    let places: [ObjectIdentifier: Int]
    do {
      (chain, places) = try await ChainDescription.chain(of: root, in: session)
    } catch let refusal as CodeRefusal {
      throw Diagnostic(.badArgument, refusal.reason, at: source.span)
    }
    let name = try target?.choice() ?? CodeTargets.usual(for: chain, in: language)
    guard let type = CodeTargets.named(name) else { throw self.language.mismatch() }
    guard type.languages.contains(language) else {
      let others = type.languages.map(\.rawValue).joined(separator: "` or `")
      throw (target ?? self.language).error(
        .badArgument,
        "\(name) has no code in \(language.title); write `\(others)` in place of "
          + "`\(language.rawValue)`")
    }
    let expectations = await SessionExpectations(chain: chain, places: places).all(in: &session)
    let request = CodeRequest(chain, expectations: expectations, language: language)
    do {
      return try type.code(for: request)
    } catch {
      let fixes = [error.fix, change(of: name, in: request, after: error)].compactMap { $0 }
      let message = ([error.reason] + [fixes.joined(separator: ", or ")]).filter { !$0.isEmpty }
      throw Diagnostic(
        .badArgument, message.joined(separator: "; "), at: (target ?? self.language).span)
    }
  }

  /// A change of the command with which the chain has code; nil without one.
  private func change(
    of name: String, in request: CodeRequest, after refusal: CodeRefusal
  ) -> String? {
    guard let other = CodeTargets.alternative(to: request, preferring: refusal.alternative) else {
      return nil
    }
    if other.language == request.language {
      return (target == nil ? "add" : "replace `as: \(name)` with") + " `as: \(other.target)`"
    }
    let old = request.language.rawValue + (target == nil ? "" : " as: \(name)")
    return "replace `\(old)` with `\(other.language.rawValue) as: \(other.target)`"
  }

  private func write(
    _ code: GeneratedCode, to file: Argument, in session: inout Session
  ) async throws -> CommandResult {
    let name = try await file.string(in: &session)
    let path = session.resolve(name, at: file)
    var files = [name]
    let other = Self.testFile(beside: name)
    // Before the first file is written, so that a second attempt does not find it.
    if code.tests != nil, !WholeFile.exists(path),
      WholeFile.exists(session.resolve(other, at: file))
    {
      throw file.error(
        .conflict,
        "the file of the tests, `\(other)`, already exists; name another file than `\(name)`")
    }
    try file.write(code.text, toNewFile: name, at: path)
    if let tests = code.tests {
      try file.write(tests, toNewFile: other, at: session.resolve(other, at: file))
      files.append(other)
    }
    return CommandResult(
      .none,
      Output(
        .report(
          Report(
            headline: "\(files.joined(separator: ", ")): \(code.name)",
            data: Record([
              ("files", .array(files.map(Value.string))), ("name", .string(code.name)),
            ])))))
  }

  /// `LettersTests.swift` for `Letters.swift`.
  private static func testFile(beside name: String) -> String {
    let last = name.lastPathComponent
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return name + "Tests" }
    let folder = name.dropLast(last.count)
    return folder + last[..<dot] + "Tests" + last[dot...]
  }
}
