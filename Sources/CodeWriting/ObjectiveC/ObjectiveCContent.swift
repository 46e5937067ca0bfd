import DataSources
import DataTables

/// The computation of sections from rows with Foundation, in Objective-C.
struct ObjectiveCContent {
  let rows: RowChain
  private(set) var row: ObjectiveCRow
  /// `Letters`
  let name: String
  /// `LettersSection`
  let section: String
  let data: ChainSource
  private var statements = CodeText(step: 4, margin: 4)
  private var hasSections = false
  /// The title of the only section of a list without other sections.
  private var title = ""

  init(_ chain: SourceChain) throws(CodeRefusal) {
    guard chain.data.count == 1, let first = chain.data.first else {
      throw CodeRefusal(
        "\(chain.top.name) joins several sources, for which plain Objective-C has no short form",
        use: "instantCocoa")
    }
    rows = try RowChain(chain)
    data = chain.sources[first]
    if case .table = data.form { throw SwiftData.refusal(ofTable: data) }
    row = try ObjectiveCRow(rows.plural, shape: rows.shape)
    name = ObjectiveCLiteral.identifiers.list(chain.top.name, of: row.type)
    section = name + "Section"
    statements.add("NSArray<\(row.type) *> *rows = \(row.plural);")
    title = data.title
    for source in chain.sources { try add(source) }
    if !hasSections {
      let shown = title.isEmpty ? "nil" : ObjectiveCLiteral.string(title)
      statements.add("\(section) *section = [[\(section) alloc] initWithTitle:\(shown)];")
      statements.add("[section.\(row.plural) addObjectsFromArray:rows];")
      statements.add("return @[section];")
    } else {
      statements.add("return sections;")
    }
  }

  private static func refusal(_ text: String) -> CodeRefusal {
    CodeRefusal(text, use: nil)
  }

  // MARK: Statements

  private mutating func add(_ source: ChainSource) throws(CodeRefusal) {
    switch source.form.operation {
    case .data(let predicate): if let predicate { try filter(predicate) }
    case .none(let reason): statements.comment(reason)
    case .request(let request, _): try add(request, of: source)
    case .join, .unroll, .columns:
      throw Self.refusal("\(source.name) has no short form in Objective-C")
    }
  }

  private mutating func filter(_ predicate: Predicate) throws(CodeRefusal) {
    let format = try format(predicate)
    statements.call(
      "rows = [rows filteredArrayUsingPredicate:[NSPredicate predicateWithFormat:",
      format.map { .text($0) }, close: "]];")
  }

  /// The arguments of `predicateWithFormat:`.
  private mutating func format(_ predicate: Predicate) throws(CodeRefusal) -> [String] {
    let row = row
    for path in predicate.keyPaths { self.row.note(path) }
    let format = try PredicateFormat([predicate]) { row.keyPath($0)?.text }
    let arguments = format.arguments.map { argument in
      switch argument {
      case .key(let key): ObjectiveCLiteral.string(key)
      case .value(let value): ObjectiveCLiteral.object(value).line
      }
    }
    return [ObjectiveCLiteral.string(format.format)] + arguments
  }

  private mutating func add(
    _ request: ContentRequest, of source: ChainSource
  ) throws(CodeRefusal) {
    guard !hasSections || request.isEmpty else {
      throw Self.refusal(
        "\(source.name) changes the rows of sections, for which Objective-C has no short form")
    }
    guard request.distinct == nil else {
      throw Self.refusal(
        "\(source.name) removes equal rows, for which Objective-C has no short form")
    }
    if let predicate = request.predicate { try filter(predicate) }
    var sort = request.sort
    var order: GroupOrder?
    if case .split(let key, let mode, let settings) = request.sections,
      mode.name == SectionMode.groups.name, let wanted = settings.order, wanted.titles.isEmpty,
      wanted.criterion == .title
    {
      sort.insert(
        SortDescriptor(
          key, direction: wanted.direction, comparison: wanted.comparison, locale: wanted.locale),
        at: 0)
    } else if case .split(_, _, let settings) = request.sections {
      order = settings.order
    }
    if !sort.isEmpty { try add(sort) }
    if request.isLimited {
      let offset = request.offset
      statements.add("NSUInteger start = MIN(\(offset), rows.count);")
      let end = request.limit.map { "MIN(\($0), rows.count - start)" } ?? "rows.count - start"
      statements.add("rows = [rows subarrayWithRange:NSMakeRange(start, \(end))];")
    }
    switch request.sections {
    case .kept: break
    case .whole: title = ""
    case .split(let key, let mode, let settings): try split(key, mode, settings, order)
    }
  }

  private mutating func add(_ sort: [SortDescriptor]) throws(CodeRefusal) {
    var elements: [Argument] = []
    for descriptor in sort {
      let line = try Self.text(of: descriptor, row)
      let isLong = line.count > 88
      elements.append(
        .text(isLong ? line.replacing(" selector:", with: "\n    selector:") : line))
      row.note(descriptor.keyPath)
    }
    statements.call(
      "rows = [rows sortedArrayUsingDescriptors:@[", elements, close: "]];", trailingComma: true)
  }

  /// An `NSSortDescriptor` for objects in memory.
  static func text(
    of descriptor: SortDescriptor, _ row: ObjectiveCRow
  ) throws(CodeRefusal) -> String {
    guard let (key, attribute, _) = row.keyPath(descriptor.keyPath) else {
      throw refusal("`\(descriptor.keyPath)` is not a key path of Foundation")
    }
    let isReversed = descriptor.direction == .descending
    if let nulls = descriptor.nulls, attribute.shape.isOptional, (nulls == .first) == isReversed {
      throw refusal("Foundation sorts nil before all values")
    }
    let selectors: [SortDescriptor.Comparison: String] = [
      .caseInsensitive: "caseInsensitiveCompare:", .localized: "localizedCompare:",
      .localizedCaseInsensitive: "localizedCaseInsensitiveCompare:",
      .localizedStandard: "localizedStandardCompare:",
    ]
    guard descriptor.list.isEmpty, descriptor.comparison != .numeric else {
      throw refusal("no sort descriptor of Foundation orders like `\(descriptor)`")
    }
    var text =
      "[NSSortDescriptor sortDescriptorWithKey:\(ObjectiveCLiteral.string(key)) "
      + "ascending:\(isReversed ? "NO" : "YES")"
    if attribute.shape.kind == .string, let selector = selectors[descriptor.comparison] {
      text += " selector:@selector(\(selector))"
    }
    return text + "]"
  }

  private mutating func split(
    _ key: ObjectKeyPath, _ mode: SectionMode, _ settings: SectionSettings, _ order: GroupOrder?
  ) throws(CodeRefusal) {
    guard let (path, attribute, _) = row.keyPath(key) else {
      throw Self.refusal("`\(key)` is not a key path of Foundation")
    }
    row.note(key)
    hasSections = true
    let (row, section) = (row, section)
    let value = "[\(row.variable) valueForKeyPath:\(ObjectiveCLiteral.string(path))]"
    let title = attribute.shape.kind == .string ? value : "[\(value) description]"
    let isDescribed =
      switch attribute.shape.kind {
      case .string, .integer, .double, .decimal, .nothing: true
      case .date:
        [SectionMode.year, .month, .day, .week].contains { $0.name == mode.name }
      default: false
      }
    guard isDescribed else {
      throw Self.refusal("Foundation describes the values of `\(key)` otherwise than the session")
    }
    switch mode.name {
    case SectionMode.runs.name, SectionMode.strict.name:
      statements.add("NSMutableArray<\(section) *> *sections = [NSMutableArray array];")
      statements.block("for (\(row.type) *\(row.variable) in rows) {") { text in
        text.add("NSString *title = \(title);")
        text.add("NSString *last = sections.lastObject.title;")
        text.block(
          "if (sections.count == 0 || !(title == last || [title isEqualToString:last])) {"
        ) { $0.add("[sections addObject:[[\(section) alloc] initWithTitle:title]];") }
        text.add("[sections.lastObject.\(row.plural) addObject:\(row.variable)];")
      }
    case SectionMode.groups.name:
      group(title)
      try sort(order)
    case SectionMode.fixed.name: fixed(title, settings)
    case SectionMode.collated.name:
      guard attribute.shape.kind == .string, !path.contains(".") else {
        throw Self.refusal("UILocalizedIndexedCollation reads a string property")
      }
      collate(attribute.property, settings)
    default: try byDate(value, attribute, mode, settings)
    }
  }

  private mutating func group(_ title: String) {
    let (row, section) = (row, section)
    statements.add("NSMutableArray<\(section) *> *sections = [NSMutableArray array];")
    statements.add(
      "NSMutableDictionary<id, \(section) *> *sectionForTitle = [NSMutableDictionary dictionary];")
    statements.block("for (\(row.type) *\(row.variable) in rows) {") { text in
      text.add("NSString *title = \(title);")
      text.add("\(section) *section = sectionForTitle[title ?: NSNull.null];")
      text.block("if (!section) {") { text in
        text.add("section = [[\(section) alloc] initWithTitle:title];")
        text.add("sectionForTitle[title ?: NSNull.null] = section;")
        text.add("[sections addObject:section];")
      }
      text.add("[section.\(row.plural) addObject:\(row.variable)];")
    }
  }

  private mutating func sort(_ order: GroupOrder?) throws(CodeRefusal) {
    guard let order else { return }
    guard order.titles.isEmpty, order.criterion == .count else {
      throw Self.refusal("groups in a listed order have no short form in Objective-C")
    }
    let ascending = order.direction == .ascending ? "YES" : "NO"
    statements.add("NSSortDescriptor *order =")
    statements.add(
      "    [NSSortDescriptor sortDescriptorWithKey:@\"\(row.plural).@count\" ascending:\(ascending)];"
    )
    statements.add("[sections sortUsingDescriptors:@[order]];")
  }

  private mutating func fixed(_ title: String, _ settings: SectionSettings) {
    let (row, section) = (row, section)
    let titles = settings.titles.map { ObjectiveCLiteral.string(SwiftContent.text($0)) }
    let other = ObjectiveCLiteral.string(SwiftContent.text(settings.other))
    let rest = titles.firstIndex(of: other)
    statements.call(
      "NSArray<NSString *> *titles = @[",
      (titles + (rest == nil ? [other] : [])).map { .text($0) }, close: "];", trailingComma: true)
    statements.add("NSMutableArray<\(section) *> *sections = [NSMutableArray array];")
    statements.block("for (NSString *title in titles) {") {
      $0.add("[sections addObject:[[\(section) alloc] initWithTitle:title]];")
    }
    statements.block("for (\(row.type) *\(row.variable) in rows) {") { text in
      text.add("NSString *title = \(title);")
      text.add("NSUInteger place = title ? [titles indexOfObject:title] : NSNotFound;")
      let fallback = rest.map { "sections[\($0)]" } ?? "sections.lastObject"
      text.add("\(section) *section = place == NSNotFound ? \(fallback) : sections[place];")
      text.add("[section.\(row.plural) addObject:\(row.variable)];")
    }
    if !settings.showsEmpty {
      statements.add(
        "[sections filterUsingPredicate:[NSPredicate predicateWithFormat:"
          + "@\"\(row.plural).@count > 0\"]];")
    } else if rest == nil {
      statements.block("if (sections.lastObject.\(row.plural).count == 0) {") {
        $0.add("[sections removeLastObject];")
      }
    }
  }

  private mutating func collate(_ property: String, _ settings: SectionSettings) {
    let (row, section) = (row, section)
    if let locale = settings.locale {
      statements.comment(
        "The collation is that of the user's language; the session used `locale: \(locale)`.")
    }
    statements.add(
      "UILocalizedIndexedCollation *collation = [UILocalizedIndexedCollation currentCollation];")
    statements.add("NSMutableArray<\(section) *> *sections = [NSMutableArray array];")
    statements.block("for (NSString *title in collation.sectionTitles) {") {
      $0.add("[sections addObject:[[\(section) alloc] initWithTitle:title]];")
    }
    statements.block("for (\(row.type) *\(row.variable) in rows) {") { text in
      text.add(
        "NSInteger place = [collation sectionForObject:\(row.variable) "
          + "collationStringSelector:@selector(\(property))];")
      text.add("[sections[place].\(row.plural) addObject:\(row.variable)];")
    }
    if !settings.showsEmpty {
      statements.add(
        "[sections filterUsingPredicate:[NSPredicate predicateWithFormat:"
          + "@\"\(row.plural).@count > 0\"]];")
    }
  }

  private mutating func byDate(
    _ value: String, _ attribute: ManagedEntity.Attribute, _ mode: SectionMode,
    _ settings: SectionSettings
  ) throws(CodeRefusal) {
    let formats = ["year": "yyyy", "month": "yyyy-MM", "day": "yyyy-MM-dd", "week": "YYYY-'W'ww"]
    guard case .date = attribute.shape.kind, let format = formats[mode.name],
      settings.zone == .gmt, !attribute.shape.isOptional
    else { throw Self.refusal("sections by \(mode.name) of these dates have no short form") }
    statements.add("NSDateFormatter *formatter = [[NSDateFormatter alloc] init];")
    statements.add(
      "formatter.calendar = [NSCalendar calendarWithIdentifier:NSCalendarIdentifierISO8601];")
    statements.add(
      "formatter.locale = [NSLocale localeWithLocaleIdentifier:@\"en_US_POSIX\"];")
    statements.add("formatter.timeZone = [NSTimeZone timeZoneForSecondsFromGMT:0];")
    statements.add("formatter.dateFormat = \(ObjectiveCLiteral.string(format));")
    group("[formatter stringFromDate:\(value)]")
    statements.add("NSSortDescriptor *order =")
    statements.add("    [NSSortDescriptor sortDescriptorWithKey:@\"title\" ascending:YES];")
    statements.add("[sections sortUsingDescriptors:@[order]];")
  }

  // MARK: Text

  /// The method that makes sections, without its body.
  var signature: String {
    "+ (NSArray<\(section) *> *)sectionsWithRows:(NSArray<\(row.type) *> *)\(row.plural)"
  }

  func add(to text: inout CodeText) {
    row.add(to: &text, readsJSON: !isLiteral)
    text.separate()
    text.add([
      "@interface \(section) : NSObject",
      "@property (nonatomic, copy, readonly, nullable) NSString *title;",
      "@property (nonatomic, readonly) NSMutableArray<\(row.type) *> *\(row.plural);",
      "- (instancetype)initWithTitle:(nullable NSString *)title;", "@end",
    ])
    text.separate()
    text.add("@implementation \(section)")
    text.separate()
    text.block("- (instancetype)initWithTitle:(nullable NSString *)title {") { text in
      text.add("self = [super init];")
      text.block("if (self) {") { text in
        text.add("_title = [title copy];")
        text.add("_\(row.plural) = [NSMutableArray array];")
      }
      text.add("return self;")
    }
    text.separate()
    text.add("@end")
    text.separate()
    text.add("@interface \(name) : NSObject")
    if let rows = data.rows, isLiteral, !rows.isEmpty {
      text.add("@property (class, nonatomic, readonly) NSArray<\(row.type) *> *\(row.plural);")
    }
    text.add("\(signature);")
    text.add("@end")
    text.separate()
    text.add("@implementation \(name)")
    text.separate()
    if isLiteral {
      text.block("+ (NSArray<\(row.type) *> *)\(row.plural) {") { addRows(to: &$0) }
      text.separate()
    }
    text.comment(rows.chain.top.summary, sign: "///")
    text.block("\(signature) {") { $0.add(statements.lines) }
    text.separate()
    text.add("@end")
  }

  /// Whether the rows are in the code.
  var isLiteral: Bool {
    if case .simple = data.form { data.rows != nil } else { false }
  }

  /// The statement that returns rows made from dictionaries.
  func addRows(to text: inout CodeText, as lead: String = "return ") {
    text.call(
      "\(lead)@[",
      (data.rows ?? []).map { value in
        row.literal(value)
      }, close: "];", trailingComma: true)
  }
}
