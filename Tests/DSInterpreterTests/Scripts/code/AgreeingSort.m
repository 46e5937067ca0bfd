// planets: fetchedResults sorted by planet.order, radius desc, sectioned by planet.name
@import CoreData;
@import UIKit;
@import XCTest;

NS_ASSUME_NONNULL_BEGIN

// The entity Moon of the model has these attributes; planet are relationships or transformed.
@interface Moon : NSManagedObject
@property (nonatomic, copy) NSString *name;
@property (nonatomic) double radius;
@property (nonatomic) int64_t planetOrder;
@property (nonatomic, copy) NSString *planetName;
+ (NSFetchRequest<Moon *> *)planetsRequest;
@end

@implementation Moon

@dynamic name, radius, planetOrder, planetName;

/// fetchedResults sorted by planet.order, radius desc, sectioned by planet.name
/// The order by `planet.order` must keep the rows with the same `planet.name` together, as it does
/// in the session; the controller fails otherwise.
+ (NSFetchRequest<Moon *> *)planetsRequest {
    NSFetchRequest<Moon *> *request =
        [NSFetchRequest fetchRequestWithEntityName:@"Moon"];
    request.sortDescriptors = @[
        [NSSortDescriptor sortDescriptorWithKey:@"planetOrder" ascending:YES],
        [NSSortDescriptor sortDescriptorWithKey:@"radius" ascending:NO],
    ];
    return request;
}

@end

@interface PlanetsViewController : UITableViewController <NSFetchedResultsControllerDelegate>
- (instancetype)initWithContext:(NSManagedObjectContext *)context;
@end

@implementation PlanetsViewController {
    NSFetchedResultsController<Moon *> *_results;
    NSError *_Nullable _failure;
}

- (instancetype)initWithContext:(NSManagedObjectContext *)context {
    self = [super initWithStyle:UITableViewStylePlain];
    if (self) {
        _results = [[NSFetchedResultsController alloc] initWithFetchRequest:[Moon planetsRequest]
            managedObjectContext:context
            sectionNameKeyPath:@"planetName"
            cacheName:nil];
        _results.delegate = self;
        self.title = @"planets";
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
    Moon *moon = [_results objectAtIndexPath:indexPath];
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = moon.name;
    content.secondaryText = [[moon valueForKey:@"radius"] description];
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

// The expectations of the session about planets.
// Import the header that declares the classes of Planets.
@interface PlanetsTests : XCTestCase
@end

@implementation PlanetsTests

- (void)testContent {
    NSBundle *bundle = [NSBundle bundleForClass:[Moon class]];
    NSManagedObjectModel *model = [NSManagedObjectModel mergedModelFromBundles:@[bundle]];
    NSPersistentContainer *container =
        [NSPersistentContainer persistentContainerWithName:@"Tests"
                                        managedObjectModel:model];
    container.persistentStoreDescriptions.firstObject.URL = [NSURL fileURLWithPath:@"/dev/null"];
    [container loadPersistentStoresWithCompletionHandler:
        ^(NSPersistentStoreDescription *description, NSError *error) { XCTAssertNil(error); }];
    NSManagedObjectContext *context = container.viewContext;
    NSArray<NSDictionary<NSString *, id> *> *rows = @[
        @{@"name": @"Io", @"radius": @1821.6, @"planetOrder": @5, @"planetName": @"Jupiter"},
        @{@"name": @"Moon", @"radius": @1737.4, @"planetOrder": @3, @"planetName": @"Earth"},
        @{@"name": @"Europa", @"radius": @1560.8, @"planetOrder": @5, @"planetName": @"Jupiter"},
    ];
    for (NSDictionary<NSString *, id> *row in rows) {
        [[[Moon alloc] initWithContext:context] setValuesForKeysWithDictionary:row];
    }
    NSFetchedResultsController<Moon *> *results =
        [[NSFetchedResultsController alloc] initWithFetchRequest:[Moon planetsRequest]
            managedObjectContext:context
            sectionNameKeyPath:@"planetName"
            cacheName:nil];
    XCTAssertTrue([results performFetch:NULL]);
    XCTAssertEqualObjects([results.sections valueForKey:@"name"], (@[@"Earth", @"Jupiter"]));
}

@end
