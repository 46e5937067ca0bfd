// sortedGoods: fetchedResults where price > 0, sorted by name, sectioned by name
@import CoreData;
@import UIKit;

NS_ASSUME_NONNULL_BEGIN

// The entity Good of the model has these attributes.
@interface Good : NSManagedObject
@property (nonatomic, copy) NSString *name;
@property (nonatomic) double price;
+ (NSFetchRequest<Good *> *)sortedGoodsRequest;
@end

@implementation Good

@dynamic name, price;

/// fetchedResults where price > 0, sorted by name, sectioned by name
+ (NSFetchRequest<Good *> *)sortedGoodsRequest {
    NSFetchRequest<Good *> *request =
        [NSFetchRequest fetchRequestWithEntityName:@"Good"];
    request.predicate = [NSPredicate predicateWithFormat:@"price > 0"];
    request.sortDescriptors = @[[NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES]];
    return request;
}

@end

@interface SortedGoodsViewController : UITableViewController <NSFetchedResultsControllerDelegate>
- (instancetype)initWithContext:(NSManagedObjectContext *)context;
@end

@implementation SortedGoodsViewController {
    NSFetchedResultsController<Good *> *_results;
    NSError *_Nullable _failure;
}

- (instancetype)initWithContext:(NSManagedObjectContext *)context {
    self = [super initWithStyle:UITableViewStylePlain];
    if (self) {
        _results = [[NSFetchedResultsController alloc] initWithFetchRequest:[Good sortedGoodsRequest]
            managedObjectContext:context
            sectionNameKeyPath:@"name"
            cacheName:nil];
        _results.delegate = self;
        self.title = @"sortedGoods";
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
    Good *good = [_results objectAtIndexPath:indexPath];
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = good.name;
    content.secondaryText = [[good valueForKey:@"price"] description];
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
