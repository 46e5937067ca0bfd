/// A programming language in which code is written.
package enum CodeLanguage: String, Sendable, CaseIterable {
  case swift, objc

  /// The name as people write it.
  package var title: String {
    switch self {
    case .swift: "Swift"
    case .objc: "Objective-C"
    }
  }

  /// The extension of files with code.
  var fileExtension: String {
    switch self {
    case .swift: "swift"
    case .objc: "m"
    }
  }
}

/// The classes with which an app shows a chain of sources.
package protocol CodeTarget: Sendable {
  /// The word after `as:`.
  static var name: String { get }
  /// One clause of help.
  static var summary: String { get }
  static var languages: [CodeLanguage] { get }
  /// - Throws: ``CodeRefusal``.
  static func code(for request: CodeRequest) throws(CodeRefusal) -> GeneratedCode
}

/// A chain whose code is requested.
package struct CodeRequest: Sendable {
  package var chain: SourceChain
  package var expectations: [ChainExpectation]
  package var language: CodeLanguage

  package init(
    _ chain: SourceChain, expectations: [ChainExpectation], language: CodeLanguage
  ) {
    self.chain = chain
    self.expectations = expectations
    self.language = language
  }
}
