import DataSources
import DataTables

/// A table view controller over a fetched results controller, in Objective-C.
struct FetchedResultsObjectiveC {
  private let request: FetchedEntity
  let name: String
  let chain: SourceChain
  /// The key path of the sections' names.
  let sectionKey: String?
  private let needsFirstCharacter: Bool

  init(_ chain: SourceChain) throws(CodeRefusal) {
    self.chain = chain
    request = try FetchedEntity(chain)
    name = ObjectiveCLiteral.identifiers.upper(chain.top.name)
    let (form, entity) = (request.form, request.entity)
    guard let section = form.section else {
      (sectionKey, needsFirstCharacter) = (nil, false)
      return
    }
    if section.span == nil, section.key.steps.count > 1,
      let attribute = entity.attribute(section.key), attribute.shape.kind == .string
    {
      (sectionKey, needsFirstCharacter) = (attribute.property, false)
      return
    }
    let row = try ObjectiveCRow(form.data.name, shape: form.data.shape)
    guard section.span == nil, let (key, attribute, _) = row.keyPath(section.key),
      ![.bool, .date(.day), .date(.instant), .date(.varied), .data].contains(attribute.shape.kind)
    else {
      throw CodeRefusal(
        "`\(section.key)` needs a computed property for the names of the sections", use: nil)
    }
    sectionKey = key
    needsFirstCharacter = key.hasSuffix(".firstCharacter")
  }

  var form: FetchForm { request.form }
  var entity: ManagedEntity { request.entity }

  var text: String {
    var text = CodeText(step: 4)
    text.comment("\(chain.top.name): \(chain.top.summary)")
    text.add(["@import CoreData;", "@import UIKit;"])
    text.separate()
    text.add("NS_ASSUME_NONNULL_BEGIN")
    text.separate()
    text.comment(
      "The entity \(entity.name) of the model has these attributes"
        + (entity.others.isEmpty
          ? "." : "; \(entity.others.joined(separator: ", ")) are relationships or transformed."))
    text.add("@interface \(entity.name) : NSManagedObject")
    text.add(entity.attributes.map(\.objectiveCProperty))
    text.add("+ (NSFetchRequest<\(entity.name) *> *)\(requestName);")
    text.add("@end")
    text.separate()
    text.add("@implementation \(entity.name)")
    text.separate()
    text.add("@dynamic \(entity.attributes.map(\.property).joined(separator: ", "));")
    text.separate()
    addRequest(to: &text)
    text.separate()
    text.add("@end")
    text.separate()
    if needsFirstCharacter {
      text.add(ObjectiveCRow.firstCharacter)
      text.separate()
    }
    addController(to: &text)
    text.separate()
    text.add("NS_ASSUME_NONNULL_END")
    return text.text
  }

  var requestName: String { ObjectiveCLiteral.identifiers.lower(chain.top.name) + "Request" }

  private func addRequest(to text: inout CodeText) {
    text.comment(chain.top.summary, sign: "///")
    for note in form.notes { text.comment(note, sign: "///") }
    text.block("+ (NSFetchRequest<\(entity.name) *> *)\(requestName) {") { text in
      text.add("NSFetchRequest<\(entity.name) *> *request =")
      text.add("    [NSFetchRequest fetchRequestWithEntityName:@\"\(entity.name)\"];")
      if let format = request.format {
        let arguments = format.arguments.map { argument in
          switch argument {
          case .key(let key): ObjectiveCLiteral.string(key)
          case .value(let value): ObjectiveCLiteral.object(value).line
          }
        }
        text.call(
          "request.predicate = [NSPredicate predicateWithFormat:",
          [.text(ObjectiveCLiteral.string(format.format))] + arguments.map { .text($0) },
          close: "];")
      }
      text.call(
        "request.sortDescriptors = @[",
        request.sort.map { sort in
          let selector = sort.selector.map { " selector:@selector(\($0):)" } ?? ""
          let line =
            "[NSSortDescriptor sortDescriptorWithKey:\(ObjectiveCLiteral.string(sort.key)) "
            + "ascending:\(sort.isAscending ? "YES" : "NO")\(selector)]"
          let isLong = line.count > 90
          return .text(isLong ? line.replacing(" selector:", with: "\n    selector:") : line)
        }, close: "];", trailingComma: true)
      if form.offset > 0 { text.add("request.fetchOffset = \(form.offset);") }
      if let limit = form.limit { text.add("request.fetchLimit = \(limit);") }
      if let batch = form.batchSize { text.add("request.fetchBatchSize = \(batch);") }
      text.add("return request;")
    }
  }

  /// The expression that makes the controller of the results.
  func controller(context: String) -> [String] {
    [
      "[[NSFetchedResultsController alloc] initWithFetchRequest:[\(entity.name) \(requestName)]",
      "    managedObjectContext:\(context)",
      "    sectionNameKeyPath:\(sectionKey.map(ObjectiveCLiteral.string) ?? "nil")",
      "    cacheName:\(form.cacheName.map(ObjectiveCLiteral.string) ?? "nil")]",
    ]
  }

  private func addController(to text: inout CodeText) {
    text.add(
      "@interface \(name)ViewController : UITableViewController <NSFetchedResultsControllerDelegate>"
    )
    text.add("- (instancetype)initWithContext:(NSManagedObjectContext *)context;")
    text.add("@end")
    text.separate()
    text.add("@implementation \(name)ViewController {")
    text.indented {
      $0.add([
        "NSFetchedResultsController<\(entity.name) *> *_results;", "NSError *_Nullable _failure;",
      ])
    }
    text.add("}")
    text.separate()
    text.block("- (instancetype)initWithContext:(NSManagedObjectContext *)context {") { text in
      text.add("self = [super initWithStyle:UITableViewStylePlain];")
      text.block("if (self) {") { text in
        var lines = controller(context: "context")
        lines[0] = "_results = " + lines[0]
        lines[lines.count - 1] += ";"
        text.add(lines)
        text.add("_results.delegate = self;")
        text.add("self.title = \(ObjectiveCLiteral.string(chain.top.name));")
      }
      text.add("return self;")
    }
    text.separate()
    text.block("- (void)viewDidLoad {") { text in
      text.add("[super viewDidLoad];")
      text.add(
        "[self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@\"cell\"];")
      text.add("NSError *error = nil;")
      text.block("if (![_results performFetch:&error]) {") {
        $0.add("_failure = error;")
      }
    }
    text.separate()
    text.add(Self.failure)
    text.separate()
    addDataSource(to: &text)
    text.separate()
    text.add(Self.delegate)
    text.separate()
    text.add("@end")
  }

  private func addDataSource(to text: inout CodeText) {
    text.block("- (NSInteger)numberOfSectionsInTableView:(UITableView *)tableView {") {
      $0.add("return _results.sections.count;")
    }
    text.separate()
    text.block(
      "- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section {"
    ) { $0.add("return _results.sections[section].numberOfObjects;") }
    text.separate()
    text.add("- (UITableViewCell *)tableView:(UITableView *)tableView")
    text.block("         cellForRowAtIndexPath:(NSIndexPath *)indexPath {") { text in
      text.add("UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@\"cell\"")
      text.add("    forIndexPath:indexPath];")
      text.add("\(entity.name) *\(entity.variable) = [_results objectAtIndexPath:indexPath];")
      text.add("UIListContentConfiguration *content = [cell defaultContentConfiguration];")
      for (label, attribute) in zip(["text", "secondaryText"], entity.attributes) {
        let key = ObjectiveCLiteral.string(attribute.property)
        let value =
          attribute.shape.kind == .string
          ? "\(entity.variable).\(attribute.property)"
          : "[[\(entity.variable) valueForKey:\(key)] description]"
        text.add("content.\(label) = \(value);")
      }
      text.add("cell.contentConfiguration = content;")
      text.add("return cell;")
    }
    guard sectionKey != nil else { return }
    text.separate()
    var titles = Self.titles
    switch form.indexTitles {
    case .list(let list):
      let literal = list.map(ObjectiveCLiteral.string).joined(separator: ", ")
      titles = titles.replacing("_results.sectionIndexTitles", with: "@[\(literal)]")
        // Further titles lead to the last section.
        .replacing(
          "[_results sectionForSectionIndexTitle:title atIndex:index]",
          with: "MIN(index, (NSInteger)_results.sections.count - 1)")
    case .initials:
      text.comment("The session's index titles are the initials of the titles.")
    case .keyPath(let path):
      text.comment("The session's index titles are `\(path)` of the first row of each section.")
    case .firstCharacter, nil: break
    }
    text.add(titles)
  }

  /// The methods that show the error of the first fetch.
  private static let failure = """
    // No alert can be presented before the view appears.
    - (void)viewDidAppear:(BOOL)animated {
        [super viewDidAppear:animated];
        NSError *error = _failure;
        if (!error) {
            return;
        }
        _failure = nil;
        UIAlertController *alert =
            [UIAlertController alertControllerWithTitle:nil
                                                message:error.localizedDescription
                                         preferredStyle:UIAlertControllerStyleAlert];
        [alert addAction:[UIAlertAction actionWithTitle:@"OK"
                                                  style:UIAlertActionStyleDefault
                                                handler:nil]];
        [self presentViewController:alert animated:YES completion:nil];
    }
    """

  private static let titles = """
    - (nullable NSString *)tableView:(UITableView *)tableView
             titleForHeaderInSection:(NSInteger)section {
        return _results.sections[section].name;
    }

    - (nullable NSArray<NSString *> *)sectionIndexTitlesForTableView:(UITableView *)tableView {
        return _results.sectionIndexTitles;
    }

    - (NSInteger)tableView:(UITableView *)tableView
        sectionForSectionIndexTitle:(NSString *)title atIndex:(NSInteger)index {
        return [_results sectionForSectionIndexTitle:title atIndex:index];
    }
    """

  /// The changes of the store as one batch of updates.
  private static let delegate = """
    - (void)controllerWillChangeContent:(NSFetchedResultsController *)controller {
        [self.tableView beginUpdates];
    }

    - (void)controller:(NSFetchedResultsController *)controller
        didChangeSection:(id<NSFetchedResultsSectionInfo>)sectionInfo
                 atIndex:(NSUInteger)index
           forChangeType:(NSFetchedResultsChangeType)type {
        NSIndexSet *sections = [NSIndexSet indexSetWithIndex:index];
        if (type == NSFetchedResultsChangeInsert) {
            [self.tableView insertSections:sections withRowAnimation:UITableViewRowAnimationAutomatic];
        } else if (type == NSFetchedResultsChangeDelete) {
            [self.tableView deleteSections:sections withRowAnimation:UITableViewRowAnimationAutomatic];
        }
    }

    - (void)controller:(NSFetchedResultsController *)controller
        didChangeObject:(id)object
            atIndexPath:(nullable NSIndexPath *)indexPath
          forChangeType:(NSFetchedResultsChangeType)type
           newIndexPath:(nullable NSIndexPath *)newIndexPath {
        UITableViewRowAnimation animation = UITableViewRowAnimationAutomatic;
        switch (type) {
            case NSFetchedResultsChangeInsert:
                [self.tableView insertRowsAtIndexPaths:@[newIndexPath] withRowAnimation:animation];
                break;
            case NSFetchedResultsChangeDelete:
                [self.tableView deleteRowsAtIndexPaths:@[indexPath] withRowAnimation:animation];
                break;
            case NSFetchedResultsChangeUpdate:
                [self.tableView reloadRowsAtIndexPaths:@[indexPath] withRowAnimation:animation];
                break;
            case NSFetchedResultsChangeMove:
                // The section of the old row may have been deleted, so the row cannot be moved.
                [self.tableView deleteRowsAtIndexPaths:@[indexPath] withRowAnimation:animation];
                [self.tableView insertRowsAtIndexPaths:@[newIndexPath] withRowAnimation:animation];
                break;
        }
    }

    - (void)controllerDidChangeContent:(NSFetchedResultsController *)controller {
        [self.tableView endUpdates];
    }
    """

  /// The tests over a store in memory.
  func tests(_ expectations: [ChainExpectation]) -> ObjectiveCTests {
    let entity = entity
    var text = CodeText(step: 4)
    text.add("NSBundle *bundle = [NSBundle bundleForClass:[\(entity.name) class]];")
    text.add(
      "NSManagedObjectModel *model = [NSManagedObjectModel mergedModelFromBundles:@[bundle]];")
    text.add("NSPersistentContainer *container =")
    text.add("    [NSPersistentContainer persistentContainerWithName:@\"Tests\"")
    text.add("                                    managedObjectModel:model];")
    text.add(
      "container.persistentStoreDescriptions.firstObject.URL = [NSURL fileURLWithPath:@\"/dev/null\"];"
    )
    text.add("[container loadPersistentStoresWithCompletionHandler:")
    text.add(
      "    ^(NSPersistentStoreDescription *description, NSError *error) { XCTAssertNil(error); }];")
    text.add("NSManagedObjectContext *context = container.viewContext;")
    if let rows = form.data.rows {
      let keys = entity.attributes.map { ObjectiveCLiteral.string($0.property) }
      text.call(
        "NSArray<NSDictionary<NSString *, id> *> *rows = @[",
        rows.map { row in
          .list(
            zip(entity.attributes, keys).compactMap { attribute, key in
              let value = attribute.value(in: row)
              if value.isNull { return nil }
              return ObjectiveCLiteral.object(value).labeled(key)
            }, open: "@{", close: "}")
        }, close: "];", trailingComma: true)
      text.block("for (NSDictionary<NSString *, id> *row in rows) {") {
        $0.add(
          "[[[\(entity.name) alloc] initWithContext:context] setValuesForKeysWithDictionary:row];")
      }
    } else {
      text.comment("Insert the rows of \(form.data.name) here, which are too many for code.")
    }
    var lines = controller(context: "context")
    lines[lines.count - 1] = "    cacheName:nil];"
    text.add("NSFetchedResultsController<\(entity.name) *> *results =")
    text.indented { $0.add(lines) }
    text.add("XCTAssertTrue([results performFetch:NULL]);")
    return ObjectiveCTests(
      name: name, topName: chain.top.name, imports: ["CoreData", "UIKit"], preparation: text.lines,
      reading: ObjectiveCTests.Reading(
        sections: "results.sections.count", objects: "results.fetchedObjects",
        count: { "results.sections[\($0)].numberOfObjects" },
        titles: "[results.sections valueForKey:@\"name\"]",
        object: {
          "[results objectAtIndexPath:[NSIndexPath indexPathForRow:\($0.row) inSection:\($0.section)]]"
        },
        keyPath: { entity.property($0) },
        title: { ObjectiveCLiteral.string($0.isNull ? "" : SwiftContent.text($0)) }),
      top: chain.sources.count - 1, expectations: expectations)
  }
}
