// listed: collated by name
@import UIKit;
@import XCTest;

NS_ASSUME_NONNULL_BEGIN

@interface PeopleRow : NSObject
@property (nonatomic, copy) NSString *name;
@property (nonatomic, strong, nullable) NSNumber *born;
- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary;
@end

@implementation PeopleRow

- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary {
    self = [super init];
    if (self) {
        _name = dictionary[@"name"];
        _born = dictionary[@"born"] == NSNull.null ? nil : dictionary[@"born"];
    }
    return self;
}

@end

@interface ListedSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<PeopleRow *> *people;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation ListedSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _people = [NSMutableArray array];
    }
    return self;
}

@end

@interface Listed : NSObject
@property (class, nonatomic, readonly) NSArray<PeopleRow *> *people;
+ (NSArray<ListedSection *> *)sectionsWithRows:(NSArray<PeopleRow *> *)people;
@end

@implementation Listed

+ (NSArray<PeopleRow *> *)people {
    return @[
        [[PeopleRow alloc] initWithDictionary:@{@"name": @"Ann", @"born": @1990}],
        [[PeopleRow alloc] initWithDictionary:@{@"name": @"Zoe"}],
    ];
}

/// collated by name
+ (NSArray<ListedSection *> *)sectionsWithRows:(NSArray<PeopleRow *> *)people {
    NSArray<PeopleRow *> *rows = people;
    rows = [rows sortedArrayUsingDescriptors:@[
        [NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES
            selector:@selector(localizedStandardCompare:)]
    ]];
    UILocalizedIndexedCollation *collation = [UILocalizedIndexedCollation currentCollation];
    NSMutableArray<ListedSection *> *sections = [NSMutableArray array];
    for (NSString *title in collation.sectionTitles) {
        [sections addObject:[[ListedSection alloc] initWithTitle:title]];
    }
    for (PeopleRow *peopleRow in rows) {
        NSInteger place = [collation sectionForObject:peopleRow collationStringSelector:@selector(name)];
        [sections[place].people addObject:peopleRow];
    }
    [sections filterUsingPredicate:[NSPredicate predicateWithFormat:@"people.@count > 0"]];
    return sections;
}

@end

@interface ListedDataSource : UITableViewDiffableDataSource<ListedSection *, PeopleRow *>
@end

@implementation ListedDataSource

- (nullable NSString *)tableView:(UITableView *)tableView
         titleForHeaderInSection:(NSInteger)section {
    return self.snapshot.sectionIdentifiers[section].title;
}

- (nullable NSArray<NSString *> *)sectionIndexTitlesForTableView:(UITableView *)tableView {
    return @[@"P", @"Q"];
}

- (NSInteger)tableView:(UITableView *)tableView
    sectionForSectionIndexTitle:(NSString *)title atIndex:(NSInteger)index {
    UILocalizedIndexedCollation *collation = [UILocalizedIndexedCollation currentCollation];
    NSArray<NSString *> *titles = collation.sectionTitles;
    NSInteger place = MIN(index, (NSInteger)titles.count - 1);
    // The title of a hidden section leads to the nearest section before it.
    NSInteger nearest = 0;
    for (NSInteger i = 0; i < (NSInteger)self.snapshot.sectionIdentifiers.count; i++) {
        if ((NSInteger)[titles indexOfObject:self.snapshot.sectionIdentifiers[i].title] <= place) {
            nearest = i;
        }
    }
    return nearest;
}

@end

@interface ListedViewController : UITableViewController
- (void)showSections:(NSArray<ListedSection *> *)sections;
@end

@implementation ListedViewController {
    ListedDataSource *_dataSource;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"listed";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    _dataSource = [[ListedDataSource alloc] initWithTableView:self.tableView
        cellProvider:^UITableViewCell *(UITableView *tableView, NSIndexPath *indexPath, PeopleRow *peopleRow) {
        UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@"cell"
            forIndexPath:indexPath];
        UIListContentConfiguration *content = [cell defaultContentConfiguration];
        content.text = peopleRow.name;
        content.secondaryText = [peopleRow.born description];
        cell.contentConfiguration = content;
        return cell;
    }];
    [self showSections:[Listed sectionsWithRows:Listed.people]];
}

- (void)showSections:(NSArray<ListedSection *> *)sections {
    NSDiffableDataSourceSnapshot<ListedSection *, PeopleRow *> *snapshot =
        [[NSDiffableDataSourceSnapshot alloc] init];
    [snapshot appendSectionsWithIdentifiers:sections];
    for (ListedSection *section in sections) {
        [snapshot appendItemsWithIdentifiers:section.people intoSectionWithIdentifier:section];
    }
    [_dataSource applySnapshot:snapshot animatingDifferences:YES];
}

@end

NS_ASSUME_NONNULL_END

// The expectations of the session about listed.
// Import the header that declares the classes of Listed.
@interface ListedTests : XCTestCase
@end

@implementation ListedTests

- (void)testContent {
    NSArray<PeopleRow *> *people = Listed.people;
    NSArray<ListedSection *> *sections = [Listed sectionsWithRows:people];
    // Not written: expect listed.sectionIndexTitles == ["P", "Q"] (only the library can check it)
}

@end
