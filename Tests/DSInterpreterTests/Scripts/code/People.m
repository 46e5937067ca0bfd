// byName: sectioned by name, sorted by name
@import UIKit;
@import XCTest;

NS_ASSUME_NONNULL_BEGIN

@interface PeopleRow : NSObject
@property (nonatomic, strong) NSNumber *idValue;
@property (nonatomic, copy) NSString *name;
@property (nonatomic, strong) NSNumber *v;
- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary;
@end

@implementation PeopleRow

- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary {
    self = [super init];
    if (self) {
        _idValue = dictionary[@"id"] == NSNull.null ? nil : dictionary[@"id"];
        _name = dictionary[@"name"] == NSNull.null ? nil : dictionary[@"name"];
        _v = dictionary[@"v"] == NSNull.null ? nil : dictionary[@"v"];
    }
    return self;
}

@end

@interface ByNameSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<PeopleRow *> *people;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation ByNameSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _people = [NSMutableArray array];
    }
    return self;
}

@end

@interface ByName : NSObject
+ (NSArray<ByNameSection *> *)sectionsWithRows:(NSArray<PeopleRow *> *)people;
@end

@implementation ByName

/// sectioned by name, sorted by name
+ (NSArray<ByNameSection *> *)sectionsWithRows:(NSArray<PeopleRow *> *)people {
    NSArray<PeopleRow *> *rows = people;
    rows = [rows sortedArrayUsingDescriptors:@[
        [NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES]
    ]];
    NSMutableArray<ByNameSection *> *sections = [NSMutableArray array];
    for (PeopleRow *peopleRow in rows) {
        NSString *title = [peopleRow valueForKeyPath:@"name"];
        NSString *last = sections.lastObject.title;
        if (sections.count == 0 || !(title == last || [title isEqualToString:last])) {
            [sections addObject:[[ByNameSection alloc] initWithTitle:title]];
        }
        [sections.lastObject.people addObject:peopleRow];
    }
    return sections;
}

@end

@interface ByNameDataSource : UITableViewDiffableDataSource<ByNameSection *, PeopleRow *>
@end

@implementation ByNameDataSource

- (nullable NSString *)tableView:(UITableView *)tableView
         titleForHeaderInSection:(NSInteger)section {
    return self.snapshot.sectionIdentifiers[section].title;
}

- (nullable NSArray<NSString *> *)sectionIndexTitlesForTableView:(UITableView *)tableView {
    NSMutableArray<NSString *> *titles = [NSMutableArray array];
    for (ByNameSection *section in self.snapshot.sectionIdentifiers) {
        NSString *title = section.title.length > 0 ? section.title : @" ";
        NSRange first = [title rangeOfComposedCharacterSequenceAtIndex:0];
        [titles addObject:[title substringWithRange:first].uppercaseString];
    }
    return titles;
}

- (NSInteger)tableView:(UITableView *)tableView
    sectionForSectionIndexTitle:(NSString *)title atIndex:(NSInteger)index {
    return index;
}

@end

@interface ByNameViewController : UITableViewController
- (void)showSections:(NSArray<ByNameSection *> *)sections;
@end

@implementation ByNameViewController {
    ByNameDataSource *_dataSource;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"byName";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    _dataSource = [[ByNameDataSource alloc] initWithTableView:self.tableView
        cellProvider:^UITableViewCell *(UITableView *tableView, NSIndexPath *indexPath, PeopleRow *peopleRow) {
        UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@"cell"
            forIndexPath:indexPath];
        UIListContentConfiguration *content = [cell defaultContentConfiguration];
        content.text = [peopleRow.idValue description];
        content.secondaryText = peopleRow.name;
        cell.contentConfiguration = content;
        return cell;
    }];
    // Make people from the dictionaries of people, then call showSections: with [ByName
    // sectionsWithRows:people].
}

- (void)showSections:(NSArray<ByNameSection *> *)sections {
    NSDiffableDataSourceSnapshot<ByNameSection *, PeopleRow *> *snapshot =
        [[NSDiffableDataSourceSnapshot alloc] init];
    [snapshot appendSectionsWithIdentifiers:sections];
    for (ByNameSection *section in sections) {
        [snapshot appendItemsWithIdentifiers:section.people intoSectionWithIdentifier:section];
    }
    [_dataSource applySnapshot:snapshot animatingDifferences:YES];
}

@end

NS_ASSUME_NONNULL_END

// The expectations of the session about byName.
// Import the header that declares the classes of ByName.
@interface ByNameTests : XCTestCase
@end

@implementation ByNameTests

- (void)testContent {
    NSArray<PeopleRow *> *people = @[
        [[PeopleRow alloc] initWithDictionary:@{@"id": @1, @"name": @"Ann", @"v": @10}],
        [[PeopleRow alloc] initWithDictionary:@{@"id": @3, @"name": @"Cy", @"v": @31}],
        [[PeopleRow alloc] initWithDictionary:@{@"id": @4, @"name": @"Dee", @"v": @40}],
    ];
    NSArray<ByNameSection *> *sections = [ByName sectionsWithRows:people];
    XCTAssertEqualObjects([sections[0].people[0] valueForKeyPath:@"v"], @10);
}

@end
