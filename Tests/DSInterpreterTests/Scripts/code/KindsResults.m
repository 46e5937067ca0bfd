// kinds: fetchedResults where kind != "x" and (price >= 1 or name BEGINSWITH[cd] "a") and sold >
// 2012-11-05, sorted by kind, name localizedStandard, sectioned by kind
@import CoreData;
@import UIKit;
@import XCTest;

NS_ASSUME_NONNULL_BEGIN

// The entity Food of the model has these attributes.
@interface Food : NSManagedObject
@property (nonatomic, copy) NSString *name;
@property (nonatomic, copy) NSString *kind;
@property (nonatomic, nullable, copy) NSNumber *price;
@property (nonatomic, copy) NSDate *sold;
+ (NSFetchRequest<Food *> *)kindsRequest;
@end

@implementation Food

@dynamic name, kind, price, sold;

/// fetchedResults where kind != "x" and (price >= 1 or name BEGINSWITH[cd] "a") and sold >
/// 2012-11-05, sorted by kind, name localizedStandard, sectioned by kind
+ (NSFetchRequest<Food *> *)kindsRequest {
    NSFetchRequest<Food *> *request =
        [NSFetchRequest fetchRequestWithEntityName:@"Food"];
    request.predicate = [NSPredicate predicateWithFormat:
        @"kind != %@ AND (price >= 1 OR name BEGINSWITH[cd] %@) AND sold > %@",
        @"x",
        @"a",
        [NSDate dateWithTimeIntervalSince1970:1352073600]
    ];
    request.sortDescriptors = @[
        [NSSortDescriptor sortDescriptorWithKey:@"kind" ascending:YES],
        [NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES
            selector:@selector(localizedStandardCompare:)],
    ];
    request.fetchBatchSize = 20;
    return request;
}

@end

@interface KindsViewController : UITableViewController <NSFetchedResultsControllerDelegate>
- (instancetype)initWithContext:(NSManagedObjectContext *)context;
@end

@implementation KindsViewController {
    NSFetchedResultsController<Food *> *_results;
    NSError *_Nullable _failure;
}

- (instancetype)initWithContext:(NSManagedObjectContext *)context {
    self = [super initWithStyle:UITableViewStylePlain];
    if (self) {
        _results = [[NSFetchedResultsController alloc] initWithFetchRequest:[Food kindsRequest]
            managedObjectContext:context
            sectionNameKeyPath:@"kind"
            cacheName:nil];
        _results.delegate = self;
        self.title = @"kinds";
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
    Food *food = [_results objectAtIndexPath:indexPath];
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = food.name;
    content.secondaryText = food.kind;
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

// The expectations of the session about kinds.
// Import the header that declares the classes of Kinds.
@interface KindsTests : XCTestCase
@end

@implementation KindsTests

- (void)testContent {
    NSBundle *bundle = [NSBundle bundleForClass:[Food class]];
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
            @"name": @"Pie",
            @"kind": @"sweet",
            @"price": @2.5,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1351814400],
        },
        @{
            @"name": @"Carrot",
            @"kind": @"vegetable",
            @"price": @1,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1354320000],
        },
        @{
            @"name": @"Apple",
            @"kind": @"fruit",
            @"sold": [NSDate dateWithTimeIntervalSince1970:1353369600],
        },
        @{
            @"name": @"Banana",
            @"kind": @"fruit",
            @"price": @1.25,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1357344000],
        },
        @{
            @"name": @"Élan",
            @"kind": @"sweet",
            @"price": @4,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1357430400],
        },
    ];
    for (NSDictionary<NSString *, id> *row in rows) {
        [[[Food alloc] initWithContext:context] setValuesForKeysWithDictionary:row];
    }
    NSFetchedResultsController<Food *> *results =
        [[NSFetchedResultsController alloc] initWithFetchRequest:[Food kindsRequest]
            managedObjectContext:context
            sectionNameKeyPath:@"kind"
            cacheName:nil];
    XCTAssertTrue([results performFetch:NULL]);
    XCTAssertEqual(results.sections.count, 3);
    XCTAssertGreaterThan(results.sections[1].numberOfObjects, 0);
}

@end
