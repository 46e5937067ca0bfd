// hidden: collated by name
@import UIKit;

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

@interface HiddenSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<PeopleRow *> *people;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation HiddenSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _people = [NSMutableArray array];
    }
    return self;
}

@end

@interface Hidden : NSObject
@property (class, nonatomic, readonly) NSArray<PeopleRow *> *people;
+ (NSArray<HiddenSection *> *)sectionsWithRows:(NSArray<PeopleRow *> *)people;
@end

@implementation Hidden

+ (NSArray<PeopleRow *> *)people {
    return @[
        [[PeopleRow alloc] initWithDictionary:@{@"name": @"Ann", @"born": @1990}],
        [[PeopleRow alloc] initWithDictionary:@{@"name": @"Zoe"}],
    ];
}

/// collated by name
+ (NSArray<HiddenSection *> *)sectionsWithRows:(NSArray<PeopleRow *> *)people {
    NSArray<PeopleRow *> *rows = people;
    rows = [rows sortedArrayUsingDescriptors:@[
        [NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES
            selector:@selector(localizedStandardCompare:)]
    ]];
    UILocalizedIndexedCollation *collation = [UILocalizedIndexedCollation currentCollation];
    NSMutableArray<HiddenSection *> *sections = [NSMutableArray array];
    for (NSString *title in collation.sectionTitles) {
        [sections addObject:[[HiddenSection alloc] initWithTitle:title]];
    }
    for (PeopleRow *peopleRow in rows) {
        NSInteger place = [collation sectionForObject:peopleRow collationStringSelector:@selector(name)];
        [sections[place].people addObject:peopleRow];
    }
    [sections filterUsingPredicate:[NSPredicate predicateWithFormat:@"people.@count > 0"]];
    return sections;
}

@end

@interface HiddenViewController : UITableViewController
- (void)showSections:(NSArray<HiddenSection *> *)sections;
@end

@implementation HiddenViewController {
    NSArray<HiddenSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"hidden";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    [self showSections:[Hidden sectionsWithRows:Hidden.people]];
}

- (void)showSections:(NSArray<HiddenSection *> *)sections {
    _sections = [sections copy];
    [self.tableView reloadData];
}

- (NSInteger)numberOfSectionsInTableView:(UITableView *)tableView {
    return _sections.count;
}

- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section {
    return _sections[section].people.count;
}

- (UITableViewCell *)tableView:(UITableView *)tableView
         cellForRowAtIndexPath:(NSIndexPath *)indexPath {
    PeopleRow *peopleRow = _sections[indexPath.section].people[indexPath.row];
    UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@"cell"
        forIndexPath:indexPath];
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = peopleRow.name;
    content.secondaryText = [peopleRow.born description];
    cell.contentConfiguration = content;
    return cell;
}

- (nullable NSString *)tableView:(UITableView *)tableView
         titleForHeaderInSection:(NSInteger)section {
    return _sections[section].title;
}

- (nullable NSArray<NSString *> *)sectionIndexTitlesForTableView:(UITableView *)tableView {
    return [UILocalizedIndexedCollation currentCollation].sectionIndexTitles;
}

- (NSInteger)tableView:(UITableView *)tableView
    sectionForSectionIndexTitle:(NSString *)title atIndex:(NSInteger)index {
    UILocalizedIndexedCollation *collation = [UILocalizedIndexedCollation currentCollation];
    NSArray<NSString *> *titles = collation.sectionTitles;
    NSInteger place = [collation sectionForSectionIndexTitleAtIndex:index];
    // The title of a hidden section leads to the nearest section before it.
    NSInteger nearest = 0;
    for (NSInteger i = 0; i < (NSInteger)_sections.count; i++) {
        if ((NSInteger)[titles indexOfObject:_sections[i].title] <= place) {
            nearest = i;
        }
    }
    return nearest;
}

@end

NS_ASSUME_NONNULL_END
