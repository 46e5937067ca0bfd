/// The classes of Instant Cocoa.
enum InstantCocoaTarget: CodeTarget {
  static let name = "instantCocoa"
  static let summary = "ICSimpleDataSource, ICSectionedDataSource and others of Instant Cocoa"
  static let languages = [CodeLanguage.objc]

  static func code(for request: CodeRequest) throws(CodeRefusal) -> GeneratedCode {
    let code = try InstantCocoa(request.chain)
    return GeneratedCode(
      name: code.name + "ViewController", text: code.code,
      tests: code.tests(request.expectations).text)
  }
}
