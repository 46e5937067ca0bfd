// date: sectioned by class, sorted by class, where class != "\"q\" \\(x) \\" and title != "??/ \\ .
// self.x %@"
@import CoreData;
@import UIKit;
@import XCTest;

NS_ASSUME_NONNULL_BEGIN

// The entity DateRow of the model has these attributes.
@interface DateRow : NSManagedObject
@property (nonatomic, copy) NSString *classValue;
@property (nonatomic, copy) NSString *aB;
@property (nonatomic, copy) NSString *lineBreak;
@property (nonatomic, copy) NSString *value;
@property (nonatomic) int64_t selfValue;
@property (nonatomic) BOOL whereValue;
@property (nonatomic) double unitPrice;
@property (nonatomic, copy) NSString *title;
@property (nonatomic, copy) NSString *descriptionValue;
@property (nonatomic, copy) NSString *value2;
@property (nonatomic, copy) NSString *context2;
@property (nonatomic, copy) NSString *dateRow2;
@property (nonatomic, copy) NSDate *date;
+ (NSFetchRequest<DateRow *> *)dateRequest;
@end

@implementation DateRow

@dynamic classValue, aB, lineBreak, value, selfValue, whereValue, unitPrice, title, descriptionValue, value2, context2, dateRow2, date;

/// sectioned by class, sorted by class, where class != "\"q\" \\(x) \\" and title != "??/ \\ self.x
/// %@"
+ (NSFetchRequest<DateRow *> *)dateRequest {
    NSFetchRequest<DateRow *> *request =
        [NSFetchRequest fetchRequestWithEntityName:@"DateRow"];
    request.predicate = [NSPredicate predicateWithFormat:
        @"classValue != %@ AND title != %@",
        @"\"q\" \\(x) \\",
        @"?\?/ \\ self.x %@"
    ];
    request.sortDescriptors = @[
        [NSSortDescriptor sortDescriptorWithKey:@"classValue" ascending:YES]
    ];
    return request;
}

@end

@interface DateViewController : UITableViewController <NSFetchedResultsControllerDelegate>
- (instancetype)initWithContext:(NSManagedObjectContext *)context;
@end

@implementation DateViewController {
    NSFetchedResultsController<DateRow *> *_results;
    NSError *_Nullable _failure;
}

- (instancetype)initWithContext:(NSManagedObjectContext *)context {
    self = [super initWithStyle:UITableViewStylePlain];
    if (self) {
        _results = [[NSFetchedResultsController alloc] initWithFetchRequest:[DateRow dateRequest]
            managedObjectContext:context
            sectionNameKeyPath:@"classValue"
            cacheName:nil];
        _results.delegate = self;
        self.title = @"date";
    }
    return self;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    NSError *error = nil;
    if (![_results performFetch:&error]) {
        _failure = error;
    }
}

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

- (NSInteger)numberOfSectionsInTableView:(UITableView *)tableView {
    return _results.sections.count;
}

- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section {
    return _results.sections[section].numberOfObjects;
}

- (UITableViewCell *)tableView:(UITableView *)tableView
         cellForRowAtIndexPath:(NSIndexPath *)indexPath {
    UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@"cell"
        forIndexPath:indexPath];
    DateRow *dateRow = [_results objectAtIndexPath:indexPath];
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = dateRow.classValue;
    content.secondaryText = dateRow.aB;
    cell.contentConfiguration = content;
    return cell;
}

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

@end

NS_ASSUME_NONNULL_END

// The expectations of the session about date.
// Import the header that declares the classes of Date.
@interface DateTests : XCTestCase
@end

@implementation DateTests

- (void)testContent {
    NSBundle *bundle = [NSBundle bundleForClass:[DateRow class]];
    NSManagedObjectModel *model = [NSManagedObjectModel mergedModelFromBundles:@[bundle]];
    NSPersistentContainer *container =
        [NSPersistentContainer persistentContainerWithName:@"Tests"
                                        managedObjectModel:model];
    container.persistentStoreDescriptions.firstObject.URL = [NSURL fileURLWithPath:@"/dev/null"];
    [container loadPersistentStoresWithCompletionHandler:
        ^(NSPersistentStoreDescription *description, NSError *error) { XCTAssertNil(error); }];
    NSManagedObjectContext *context = container.viewContext;
    NSArray<NSDictionary<NSString *, id> *> *rows = @[
        @{
            @"classValue": @"say \"hi\"",
            @"aB": @"\\(x) \\",
            @"lineBreak": @"1\n2",
            @"value": @"😀",
            @"selfValue": @1,
            @"whereValue": @YES,
            @"unitPrice": @2.5,
            @"title": @"self.t",
            @"descriptionValue": @"d",
            @"value2": @"e",
            @"context2": @"c",
            @"dateRow2": @"f",
            @"date": [NSDate dateWithTimeIntervalSince1970:1577923200],
        },
        @{
            @"classValue": @"b",
            @"aB": @"?\?/",
            @"lineBreak": @"",
            @"value": @"\"\"\"",
            @"selfValue": @2,
            @"whereValue": @NO,
            @"unitPrice": @3,
            @"title": @"#",
            @"descriptionValue": @"%@",
            @"value2": @"*/",
            @"context2": @"//",
            @"dateRow2": @"@",
            @"date": [NSDate dateWithTimeIntervalSince1970:1578009600],
        },
    ];
    for (NSDictionary<NSString *, id> *row in rows) {
        [[[DateRow alloc] initWithContext:context] setValuesForKeysWithDictionary:row];
    }
    NSFetchedResultsController<DateRow *> *results =
        [[NSFetchedResultsController alloc] initWithFetchRequest:[DateRow dateRequest]
            managedObjectContext:context
            sectionNameKeyPath:@"classValue"
            cacheName:nil];
    XCTAssertTrue([results performFetch:NULL]);
    XCTAssertEqualObjects(
        [[results objectAtIndexPath:[NSIndexPath indexPathForRow:0 inSection:1]] valueForKeyPath:@"classValue"],
        @"say \"hi\""
    );
    XCTAssertEqualObjects(
        [[results objectAtIndexPath:[NSIndexPath indexPathForRow:0 inSection:1]] valueForKeyPath:@"title"],
        @"self.t"
    );
    XCTAssertEqualObjects([results.sections valueForKey:@"name"], (@[@"b", @"say \"hi\""]));
    // Not written: expect all date where: class CONTAINS "\\" or class != "\n" or title != "*/"
    // (only the library can check it)
}

@end
