import DataSources
import DataTables

/// The class that makes the sources of a chain with the library.
struct LibraryCode {
  let chain: SourceChain
  /// The name of the property of each source.
  let names: [String]
  /// The name of the class.
  let name: String

  init(_ chain: SourceChain) {
    self.chain = chain
    var unique = UniqueNames(Set(Self.locals + ["fetch", "transport"]))
    names = chain.sources.map { unique.unique(SwiftLiteral.identifiers.lower($0.name)) }
    let top = SwiftLiteral.identifiers.upper(chain.top.name)
    // A class that has the name of a type of the library would hide it.
    name = top + "Sources"
  }

  /// - Throws: ``CodeRefusal`` for more objects than code should contain, and for logins.
  func text() throws(CodeRefusal) -> CodeText {
    try check()
    var text = CodeText(step: 2)
    text.comment("\(chain.top.name): \(chain.top.summary)")
    text.add(imports.map { "import \($0)" })
    text.separate()
    text.comment("The sources of `\(chain.top.name)`, each over those that it wraps.", sign: "///")
    text.block("@MainActor final class \(name)") { text in
      for (source, name) in zip(chain.sources, names) {
        text.add("let \(name): \(source.form.className)")
      }
      text.separate()
      text.block("init() async throws") { text in
        for index in chain.sources.indices { add(index, to: &text) }
      }
      text.separate()
      text.add("/// Fetches the sources below too.")
      text.block("func fetch() async throws") { text in
        text.add("try await \(names[names.count - 1]).fetchData()")
      }
    }
    return text
  }

  private static let mostObjects = 1_000

  private func check() throws(CodeRefusal) {
    for source in chain.sources {
      try source.checkIdentity()
      guard case .simple(let objects, _) = source.form, objects.count > Self.mostObjects else {
        continue
      }
      throw CodeRefusal(
        "\(source.name) has \(objects.count) typed objects, more than the \(Self.mostObjects) that "
          + "code should contain; `save` writes them to a file that can be loaded", use: nil)
    }
  }

  private var imports: [String] {
    var modules: Set = ["DataSources", "DataTables"]
    for source in chain.sources { modules.formUnion(source.form.modules) }
    return modules.sorted()
  }

  private func add(_ index: Int, to text: inout CodeText) {
    let source = chain.sources[index]
    if index == chain.sources.firstIndex(where: \.form.isRemote) {
      text.add("let transport = HTTPTransport()")
    }
    for line in LibraryPreparation.statements(before: source.form) { text.add(unique(line, index)) }
    let (head, arguments) = LibraryCall(source: source, children: source.children.map { names[$0] })
      .parts
    text.call("\(names[index]) = \(head)", arguments.map { $0.mapped { unique($0, index) } })
    if let id = source.id {
      text.add("\(names[index]).id = \(LibraryLiteral.path(id).line)")
    }
  }

  /// Local variables that several sources may need.
  private static let locals = ["options", "paging", "settings", "request", "database"]

  /// A part of the code with a local variable that is named after its source if others need one too:
  /// `postsOptions`.
  private func unique(_ text: String, _ index: Int) -> String {
    var text = text
    for local in Self.locals where chain.sources.filter({ $0.form.uses(local) }).count > 1 {
      let name = names[index] + local.prefix(1).uppercased() + local.dropFirst()
      for (before, after) in [("var ", " "), ("let ", " "), ("try ", "."), ("", ".")]
      where text.hasPrefix(before + local + after) {
        text = before + name + text.dropFirst(before.count + local.count)
        break
      }
      if text == "\(local): \(local)" || text == "of: \(local)" {
        text = text.dropLast(local.count) + name
      }
    }
    return text
  }
}

extension SourceForm {
  fileprivate var isRemote: Bool { if case .remote = self { true } else { false } }

  /// Whether the code of the source has a local variable with the name.
  fileprivate func uses(_ local: String) -> Bool {
    switch (self, local) {
    case (.file(let file), "options"): file.options.isChanged
    case (.remote(let remote), "options"): remote.options.isChanged
    case (.remote(let remote), "paging"): remote.paging != nil
    case (.table, "database"), (.fetchedResults, "request"): true
    case (.sectioned(let form), "settings"): form.settings != SectionSettings()
    case (.collated(let form), "settings"): form.settings != SectionSettings()
    default: false
    }
  }
}

extension ChainSource {
  /// - Throws: ``CodeRefusal`` for a request with a login or a certificate of the client.
  func checkIdentity() throws(CodeRefusal) {
    guard case .remote(let remote) = form, remote.request.identity != ClientIdentity() else {
      return
    }
    throw CodeRefusal(
      "\(name) has a login or a client certificate, which an app keeps in its keychain", use: nil)
  }
}
