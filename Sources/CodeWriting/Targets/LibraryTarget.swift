/// The sources of this package's library.
enum LibraryTarget: CodeTarget {
  static let name = "library"
  static let summary = "the library products of this package, with Swift Testing"
  static let languages = [CodeLanguage.swift]

  static func code(for request: CodeRequest) throws(CodeRefusal) -> GeneratedCode {
    let code = LibraryCode(request.chain)
    let text = try code.text().text
    let tests = LibraryTests(code: code, expectations: request.expectations)
    return GeneratedCode(name: code.name, text: text, tests: tests.text)
  }
}
