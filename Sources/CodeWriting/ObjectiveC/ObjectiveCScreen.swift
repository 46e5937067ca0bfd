import DataSources

/// A table view controller in Objective-C that shows sections which the code computes.
struct ObjectiveCScreen {
  let content: ObjectiveCContent
  /// Whether a diffable data source shows the rows.
  let isDiffable: Bool

  private var row: ObjectiveCRow { content.row }
  private var controller: String { content.name + "ViewController" }
  private var dataSource: String { content.name + "DataSource" }

  var text: String {
    var text = CodeText(step: 4)
    text.comment("\(content.rows.chain.top.name): \(content.rows.chain.top.summary)")
    text.add("@import UIKit;")
    text.separate()
    text.add("NS_ASSUME_NONNULL_BEGIN")
    text.separate()
    content.add(to: &text)
    text.separate()
    if isDiffable { addDataSource(to: &text) }
    text.add("@interface \(controller) : UITableViewController")
    text.add("- (void)showSections:(NSArray<\(content.section) *> *)sections;")
    text.add("@end")
    text.separate()
    text.add("@implementation \(controller) {")
    text.indented {
      $0.add(
        isDiffable
          ? "\(dataSource) *_dataSource;" : "NSArray<\(content.section) *> *_sections;")
    }
    text.add("}")
    text.separate()
    addLoading(to: &text)
    text.separate()
    text.block("- (void)showSections:(NSArray<\(content.section) *> *)sections {") { text in
      if isDiffable {
        addSnapshot(to: &text)
      } else {
        text.add("_sections = [sections copy];")
        text.add("[self.tableView reloadData];")
      }
    }
    if !isDiffable {
      text.separate()
      addRows(to: &text)
      text.separate()
      addTitles(of: "_sections", to: &text)
    }
    text.separate()
    text.add("@end")
    text.separate()
    text.add("NS_ASSUME_NONNULL_END")
    return text.text
  }

  private func addLoading(to text: inout CodeText) {
    text.block("- (void)viewDidLoad {") { text in
      text.add("[super viewDidLoad];")
      text.add(
        "self.title = \(ObjectiveCLiteral.string(content.rows.chain.top.name));")
      text.add(
        "[self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@\"cell\"];")
      if isDiffable {
        text.add("_dataSource = [[\(dataSource) alloc] initWithTableView:self.tableView")
        text.add(
          "    cellProvider:^UITableViewCell *(UITableView *tableView, NSIndexPath *indexPath, "
            + "\(row.type) *\(row.variable)) {")
        text.indented { addCell(object: row.variable, to: &$0) }
        text.add("}];")
      }
      if content.isLiteral {
        text.add(
          "[self showSections:[\(content.name) sectionsWithRows:\(content.name).\(row.plural)]];")
      } else {
        text.comment(
          "Make \(row.plural) from the dictionaries of \(content.data.name), then call "
            + "showSections: with [\(content.name) sectionsWithRows:\(row.plural)].")
      }
    }
  }

  private func addCell(object: String, to text: inout CodeText) {
    text.add("UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@\"cell\"")
    text.add("    forIndexPath:indexPath];")
    text.add(row.cell(object))
    text.add("return cell;")
  }

  private func addRows(to text: inout CodeText) {
    text.block("- (NSInteger)numberOfSectionsInTableView:(UITableView *)tableView {") {
      $0.add("return _sections.count;")
    }
    text.separate()
    text.block(
      "- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section {"
    ) { $0.add("return _sections[section].\(row.plural).count;") }
    text.separate()
    text.add("- (UITableViewCell *)tableView:(UITableView *)tableView")
    text.block("         cellForRowAtIndexPath:(NSIndexPath *)indexPath {") { text in
      text.add(
        "\(row.type) *\(row.variable) = _sections[indexPath.section].\(row.plural)[indexPath.row];")
      addCell(object: row.variable, to: &text)
    }
  }

  /// The titles of headers and of the index.
  private func addTitles(of sections: String, to text: inout CodeText) {
    text.add("- (nullable NSString *)tableView:(UITableView *)tableView")
    text.block("         titleForHeaderInSection:(NSInteger)section {") {
      $0.add("return \(sections)[section].title;")
    }
    if let comment = content.rows.indexComment(madeTitles: [.firstCharacter]) {
      text.separate()
      text.comment(comment)
    }
    guard hasIndex else { return }
    text.separate()
    text.block(
      "- (nullable NSArray<NSString *> *)sectionIndexTitlesForTableView:(UITableView *)tableView {"
    ) { addIndexTitles(of: sections, to: &$0) }
    text.separate()
    text.add("- (NSInteger)tableView:(UITableView *)tableView")
    text.block(
      "    sectionForSectionIndexTitle:(NSString *)title atIndex:(NSInteger)index {"
    ) { addIndexSection(of: sections, to: &$0) }
  }

  /// Whether the code has the index of the session.
  private var hasIndex: Bool {
    guard content.rows.hasSections else { return false }
    return switch content.rows.indexTitles {
    case .firstCharacter: true
    case .list: !content.rows.hidesTitledSections
    case .initials, .keyPath, nil: false
    }
  }

  private func addIndexTitles(of sections: String, to text: inout CodeText) {
    if case .list(let titles) = content.rows.indexTitles {
      let list = titles.map(ObjectiveCLiteral.string).joined(separator: ", ")
      return text.add("return @[\(list)];")
    }
    if content.rows.collation != nil {
      return text.add("return [UILocalizedIndexedCollation currentCollation].sectionIndexTitles;")
    }
    text.add("NSMutableArray<NSString *> *titles = [NSMutableArray array];")
    text.block("for (\(content.section) *section in \(sections)) {") { text in
      text.add("NSString *title = section.title.length > 0 ? section.title : @\" \";")
      text.add("NSRange first = [title rangeOfComposedCharacterSequenceAtIndex:0];")
      text.add("[titles addObject:[title substringWithRange:first].uppercaseString];")
    }
    text.add("return titles;")
  }

  private func addIndexSection(of sections: String, to text: inout CodeText) {
    let isList = if case .list = content.rows.indexTitles { true } else { false }
    switch content.rows.collation {
    case .all? where !isList:
      text.add("return [[UILocalizedIndexedCollation currentCollation]")
      text.add("    sectionForSectionIndexTitleAtIndex:index];")
    case .shown?:
      text.add(
        "UILocalizedIndexedCollation *collation = [UILocalizedIndexedCollation currentCollation];")
      text.add("NSArray<NSString *> *titles = collation.sectionTitles;")
      text.add(
        isList
          ? "NSInteger place = MIN(index, (NSInteger)titles.count - 1);"
          : "NSInteger place = [collation sectionForSectionIndexTitleAtIndex:index];")
      text.comment("The title of a hidden section leads to the nearest section before it.")
      text.add("NSInteger nearest = 0;")
      text.block("for (NSInteger i = 0; i < (NSInteger)\(sections).count; i++) {") { text in
        text.block("if ((NSInteger)[titles indexOfObject:\(sections)[i].title] <= place) {") {
          $0.add("nearest = i;")
        }
      }
      text.add("return nearest;")
    // Further titles lead to the last section.
    case _ where isList: text.add("return MIN(index, (NSInteger)\(sections).count - 1);")
    default: text.add("return index;")
    }
  }

  private func addDataSource(to text: inout CodeText) {
    text.add(
      "@interface \(dataSource) : UITableViewDiffableDataSource<\(content.section) *, \(row.type) *>"
    )
    text.add("@end")
    text.separate()
    text.add("@implementation \(dataSource)")
    text.separate()
    addTitles(of: "self.snapshot.sectionIdentifiers", to: &text)
    text.separate()
    text.add("@end")
    text.separate()
  }

  private func addSnapshot(to text: inout CodeText) {
    text.add("NSDiffableDataSourceSnapshot<\(content.section) *, \(row.type) *> *snapshot =")
    text.add("    [[NSDiffableDataSourceSnapshot alloc] init];")
    text.add("[snapshot appendSectionsWithIdentifiers:sections];")
    text.block("for (\(content.section) *section in sections) {") {
      $0.add(
        "[snapshot appendItemsWithIdentifiers:section.\(row.plural) "
          + "intoSectionWithIdentifier:section];")
    }
    text.add("[_dataSource applySnapshot:snapshot animatingDifferences:YES];")
  }
}
