// abc: collated by name
@import UIKit;

NS_ASSUME_NONNULL_BEGIN

@interface Food : NSObject
@property (nonatomic, copy) NSString *name;
@property (nonatomic, copy) NSString *kind;
@property (nonatomic, strong, nullable) NSNumber *price;
@property (nonatomic, strong) NSDate *sold;
- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary;
@end

@implementation Food

- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary {
    self = [super init];
    if (self) {
        _name = dictionary[@"name"];
        _kind = dictionary[@"kind"];
        _price = dictionary[@"price"] == NSNull.null ? nil : dictionary[@"price"];
        _sold = dictionary[@"sold"];
    }
    return self;
}

@end

@interface AbcSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<Food *> *foods;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation AbcSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _foods = [NSMutableArray array];
    }
    return self;
}

@end

@interface Abc : NSObject
@property (class, nonatomic, readonly) NSArray<Food *> *foods;
+ (NSArray<AbcSection *> *)sectionsWithRows:(NSArray<Food *> *)foods;
@end

@implementation Abc

+ (NSArray<Food *> *)foods {
    return @[
        [[Food alloc] initWithDictionary:@{
            @"name": @"Pie",
            @"kind": @"sweet",
            @"price": @2.5,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1351814400],
        }],
        [[Food alloc] initWithDictionary:@{
            @"name": @"Carrot",
            @"kind": @"vegetable",
            @"price": @1,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1354320000],
        }],
        [[Food alloc] initWithDictionary:@{
            @"name": @"Apple",
            @"kind": @"fruit",
            @"sold": [NSDate dateWithTimeIntervalSince1970:1353369600],
        }],
        [[Food alloc] initWithDictionary:@{
            @"name": @"Banana",
            @"kind": @"fruit",
            @"price": @1.25,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1357344000],
        }],
        [[Food alloc] initWithDictionary:@{
            @"name": @"Élan",
            @"kind": @"sweet",
            @"price": @4,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1357430400],
        }],
    ];
}

/// collated by name
+ (NSArray<AbcSection *> *)sectionsWithRows:(NSArray<Food *> *)foods {
    NSArray<Food *> *rows = foods;
    rows = [rows sortedArrayUsingDescriptors:@[
        [NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES
            selector:@selector(localizedStandardCompare:)]
    ]];
    UILocalizedIndexedCollation *collation = [UILocalizedIndexedCollation currentCollation];
    NSMutableArray<AbcSection *> *sections = [NSMutableArray array];
    for (NSString *title in collation.sectionTitles) {
        [sections addObject:[[AbcSection alloc] initWithTitle:title]];
    }
    for (Food *food in rows) {
        NSInteger place = [collation sectionForObject:food collationStringSelector:@selector(name)];
        [sections[place].foods addObject:food];
    }
    return sections;
}

@end

@interface AbcViewController : UITableViewController
- (void)showSections:(NSArray<AbcSection *> *)sections;
@end

@implementation AbcViewController {
    NSArray<AbcSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"abc";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    [self showSections:[Abc sectionsWithRows:Abc.foods]];
}

- (void)showSections:(NSArray<AbcSection *> *)sections {
    _sections = [sections copy];
    [self.tableView reloadData];
}

- (NSInteger)numberOfSectionsInTableView:(UITableView *)tableView {
    return _sections.count;
}

- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section {
    return _sections[section].foods.count;
}

- (UITableViewCell *)tableView:(UITableView *)tableView
         cellForRowAtIndexPath:(NSIndexPath *)indexPath {
    Food *food = _sections[indexPath.section].foods[indexPath.row];
    UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@"cell"
        forIndexPath:indexPath];
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = food.name;
    content.secondaryText = food.kind;
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
    return [[UILocalizedIndexedCollation currentCollation]
        sectionForSectionIndexTitleAtIndex:index];
}

@end

NS_ASSUME_NONNULL_END
