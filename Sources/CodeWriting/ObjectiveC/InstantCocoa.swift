import DataSources
import DataTables

/// The data sources of Instant Cocoa, an Objective-C library whose classes wrap one another as the
/// sources of the shell do.
struct InstantCocoa {
  let chain: SourceChain
  let name: String
  private let row: ObjectiveCRow
  /// The variable of each source.
  private let names: [String]
  private var text = CodeText(step: 4)
  private var headers: Set<String> = ["ICTableViewController"]

  init(_ chain: SourceChain) throws(CodeRefusal) {
    self.chain = chain
    name = ObjectiveCLiteral.identifiers.upper(chain.top.name)
    let shape = chain.data.reduce(ValueShape()) { $0.merged(chain.sources[$1].shape) }
    let plural = chain.data.count == 1 ? chain.sources[chain.data[0]].name : "rows"
    // The library adds `firstCharacter` to strings itself.
    row = try ObjectiveCRow(plural, shape: shape)
    var unique = UniqueNames(["self", "cell", "object"])
    names = chain.sources.map { unique.unique(ObjectiveCLiteral.identifiers.lower($0.name)) }
    for index in chain.sources.indices { try add(index) }
  }

  private mutating func add(_ index: Int) throws(CodeRefusal) {
    let source = chain.sources[index]
    let variable = names[index]
    let inner = source.children.first.map { names[$0] } ?? ""
    switch source.form {
    case .simple(_, nil):
      declare("ICSimpleDataSource", variable, "initWithObjects:\(rows(of: source))")
    case .file(let file) where file.predicate == nil:
      declare("ICSimpleDataSource", variable, "initWithObjects:\(rows(of: source))")
    case .remote(let remote): try add(remote, variable, source)
    case .sectioned(let form): try add(form, over: inner, variable, source)
    case .fetchedResults(let request) where request.isOnlySorted:
      try add(
        SectionedForm(key: request.section, sort: request.sort), over: inner, variable, source)
    case .multi(let preserves):
      let list = source.children.map { names[$0] }.joined(separator: ", ")
      declare("ICMultiDataSource", variable, "initWithDataSources:@[\(list)]")
      if preserves { text.add("\(variable).preserveSectionsInSubDataSources = YES;") }
    case .slow, .faulty, .stale:
      if case .none(let reason) = source.form.operation { text.comment(reason) }
      text.add("id<ICDataSource> \(variable) = \(inner);")
    default:
      throw CodeRefusal(
        "Instant Cocoa has no data source for \(source.name), \(source.summary)", use: "tableView")
    }
    if !source.title.isEmpty {
      text.add("\(variable).name = \(ObjectiveCLiteral.string(source.title));")
    }
  }

  private mutating func declare(_ type: String, _ variable: String, _ initializer: String) {
    headers.insert(type)
    let line = "\(type) *\(variable) = [[\(type) alloc] \(initializer)];"
    if line.count <= text.room { return text.add(line) }
    text.add("\(type) *\(variable) =")
    text.add("    [[\(type) alloc] \(initializer)];")
  }

  private func rows(of source: ChainSource) -> String {
    source.rows == nil ? "@[]" : "[self \(ObjectiveCLiteral.identifiers.lower(source.name))Rows]"
  }

  private mutating func add(
    _ remote: RemoteForm, _ variable: String, _ source: ChainSource
  ) throws(CodeRefusal) {
    if let paging = remote.paging, paging.style != .page || paging.firstPage != 1 {
      throw CodeRefusal(
        "ICPaginatedDataSource requests pages by their numbers from 1; \(source.name) needs more",
        use: "tableView")
    }
    try source.checkIdentity()
    if remote.request.body != nil {
      throw CodeRefusal(
        "ICRemoteDataSource sends GET requests only; \(source.name) sends a POST", use: "library")
    }
    let type = remote.paging == nil ? "ICRemoteDataSource" : "ICPaginatedDataSource"
    declare(type, variable, "init")
    headers.insert("ICModelProtocols")
    let (base, path) = Self.parts(of: remote.request.url)
    text.comment(
      "The base URL, \(base), headers and secrets belong to a subclass of ICRemoteConfiguration.")
    text.add("\(variable).apiPath = \(ObjectiveCLiteral.string(path));")
    text.add("\(variable).mappingClass = [\(row.type) class];")
    if let keyPath = remote.options.keyPath {
      text.add("\(variable).keyPath = \(ObjectiveCLiteral.string(keyPath.description));")
    }
    var query = remote.request.query.filter { if case .plain = $0.value { true } else { false } }
      .map { parameter in
        Argument.text(ObjectiveCLiteral.string(parameter.value.shown))
          .labeled(ObjectiveCLiteral.string(parameter.name))
      }
    if let paging = remote.paging, let size = paging.pageSize {
      query.append(
        .text("@\"\(size)\"").labeled(
          ObjectiveCLiteral.string(paging.sizeParameter ?? "page_size")))
    }
    // The paginator changes a copy of the parameters, which must not be nil.
    if !query.isEmpty || remote.paging != nil {
      text.call("\(variable).queryParameters = @{", query, close: "};", trailingComma: true)
    }
    if let paging = remote.paging, let parameter = paging.parameter {
      text.add("\(variable).keys.currentPage = \(ObjectiveCLiteral.string(parameter));")
    }
    let options: [(Placeholder, String)] = [
      (.loading, "ICRemoteDataSourceShouldStoreLoadingPlaceholder"),
      (.noResults, "ICRemoteDataSourceShouldStoreNoResultsPlaceholder"),
      (.error, "ICRemoteDataSourceShouldStoreErrors"),
    ]
    let given = options.filter { remote.placeholders.contains($0.0) }.map(\.1)
    text.call(
      "\(variable).placeholderStorageOptions = ",
      [.text(given.isEmpty ? "0" : given.joined(separator: " | "))], close: ";")
  }

  /// The URL of the server, and the path below it.
  private static func parts(of url: String) -> (String, String) {
    guard let scheme = url.firstRange(of: "://") else { return ("", url) }
    let rest = url[scheme.upperBound...]
    guard let slash = rest.firstIndex(of: "/") else { return (url, "") }
    return (String(url[..<slash]), String(rest[slash...].dropFirst()))
  }

  private mutating func add(
    _ form: SectionedForm, over inner: String, _ variable: String, _ source: ChainSource
  ) throws(CodeRefusal) {
    guard [SectionMode.runs.name, SectionMode.strict.name].contains(form.mode.name),
      form.predicate == nil
    else {
      throw CodeRefusal(
        "ICSectionedDataSource starts a section wherever the key changes; \(source.name) needs "
          + "more (\(source.summary))", use: "tableView")
    }
    var key = "nil"
    if let path = form.key {
      guard let (text, attribute, _) = row.keyPath(path) else {
        throw CodeRefusal("`\(path)` is not a key path of Foundation", use: nil)
      }
      key = ObjectiveCLiteral.string(text)
      if attribute.shape.isOptional {
        self.text.comment(
          "ICSectionedDataSource starts a section for each row without \(attribute.property).")
      }
    }
    var descriptors: [Argument] = []
    for descriptor in form.sort {
      descriptors.append(.text(try ObjectiveCContent.text(of: descriptor, row)))
    }
    headers.insert("ICSectionedDataSource")
    text.add("ICSectionedDataSource *\(variable) =")
    text.add("    [[ICSectionedDataSource alloc] initWithDataSource:\(inner)")
    text.add("        sectioningKey:\(key)")
    let list = descriptors.map(\.line).joined(separator: ",\n            ")
    text.add("        sortDescriptors:@[\(descriptors.count > 1 ? "\n            " : "")\(list)]];")
  }

  // MARK: Text

  /// Whether rows are made from responses.
  private var isMapped: Bool { headers.contains("ICModelProtocols") }

  var code: String {
    var text = CodeText(step: 4)
    text.comment("\(chain.top.name): \(chain.top.summary)")
    text.comment("With Instant Cocoa, https://github.com/khanlou/InstantCocoa.")
    text.add(headers.sorted().map { "#import \"\($0).h\"" })
    text.separate()
    row.add(to: &text, isMappable: isMapped, readsJSON: isMapped)
    text.separate()
    text.add("@interface \(name)ViewController : ICTableViewController")
    text.add("+ (id<ICDataSource>)makeDataSource;")
    text.add("@end")
    text.separate()
    text.add("@implementation \(name)ViewController")
    text.separate()
    for index in chain.data { addRows(of: chain.sources[index], to: &text) }
    text.block("+ (id<ICDataSource>)makeDataSource {") { text in
      text.add(self.text.lines)
      text.add("return \(names[names.count - 1]);")
    }
    text.separate()
    text.block("- (void)viewDidLoad {") { text in
      text.add("[super viewDidLoad];")
      text.add("self.title = \(ObjectiveCLiteral.string(chain.top.name));")
      text.add("self.dataSource = [\(name)ViewController makeDataSource];")
      text.add("[self.dataSource fetchData];")
    }
    text.separate()
    text.block(
      "- (void)configureCell:(UITableViewCell *)cell withObject:(\(row.type) *)\(row.variable) {"
    ) { text in text.add(row.cell(row.variable)) }
    text.separate()
    text.add("- (NSString *)tableView:(UITableView *)tableView")
    text.block("    titleForHeaderInSection:(NSInteger)section {") {
      $0.add("return [self.dataSource.sectionTitles[section] description];")
    }
    text.separate()
    text.add("@end")
    return text.text
  }

  private func addRows(of source: ChainSource, to text: inout CodeText) {
    guard let rows = source.rows else { return }
    if case .remote = source.form { return }
    let name = ObjectiveCLiteral.identifiers.lower(source.name) + "Rows"
    text.block("+ (NSArray<\(row.type) *> *)\(name) {") { text in
      text.call(
        "return @[",
        rows.map { value in
          row.literal(value)
        }, close: "];", trailingComma: true)
    }
    text.separate()
  }

  /// The tests of the data source.
  func tests(_ expectations: [ChainExpectation]) -> ObjectiveCTests {
    let row = row
    return ObjectiveCTests(
      name: name, topName: chain.top.name, imports: ["UIKit"],
      preparation: [
        "id<ICDataSource> dataSource = [\(name)ViewController makeDataSource];",
        "[dataSource fetchData];",
      ],
      reading: ObjectiveCTests.Reading(
        sections: "dataSource.numberOfSections", objects: "dataSource.allObjects",
        count: { "[dataSource numberOfObjectsInSection:\($0)]" },
        titles: "dataSource.sectionTitles",
        object: {
          "[dataSource objectAtIndexPath:"
            + "[NSIndexPath indexPathForRow:\($0.row) inSection:\($0.section)]]"
        },
        keyPath: { row.keyPath($0)?.text }, title: { ObjectiveCLiteral.object($0).line }),
      top: chain.sources.count - 1, expectations: expectations)
  }
}

extension FetchRequest {
  /// Whether the request only sorts and splits the rows.
  fileprivate var isOnlySorted: Bool {
    predicate == nil && distinct == nil && offset == 0 && limit == nil
  }
}
