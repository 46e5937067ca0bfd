/// A fetched results controller over Core Data.
enum FetchedResultsTarget: CodeTarget {
  static let name = "fetchedResults"
  static let summary = "NSFetchedResultsController with its NSFetchRequest, over Core Data"
  static let languages = CodeLanguage.allCases

  static func code(for request: CodeRequest) throws(CodeRefusal) -> GeneratedCode {
    if request.language == .objc {
      let code = try FetchedResultsObjectiveC(request.chain)
      return GeneratedCode(
        name: code.name + "ViewController", text: code.text,
        tests: code.tests(request.expectations).text)
    }
    let code = try FetchedResultsSwift(request.chain)
    let tests = FetchedResultsSwiftTests(
      code: code, expectations: request.expectations, top: request.chain.sources.count - 1)
    return GeneratedCode(
      name: code.name + "ViewController", text: code.text(), tests: tests.text)
  }
}
