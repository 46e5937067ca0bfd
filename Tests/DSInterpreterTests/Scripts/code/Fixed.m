// fixed: sectioned by kind, fixed
@import UIKit;
@import XCTest;

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

@interface FixedListSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<Food *> *foods;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation FixedListSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _foods = [NSMutableArray array];
    }
    return self;
}

@end

@interface FixedList : NSObject
@property (class, nonatomic, readonly) NSArray<Food *> *foods;
+ (NSArray<FixedListSection *> *)sectionsWithRows:(NSArray<Food *> *)foods;
@end

@implementation FixedList

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

/// sectioned by kind, fixed
+ (NSArray<FixedListSection *> *)sectionsWithRows:(NSArray<Food *> *)foods {
    NSArray<Food *> *rows = foods;
    NSArray<NSString *> *titles = @[@"fruit", @"sweet", @"#"];
    NSMutableArray<FixedListSection *> *sections = [NSMutableArray array];
    for (NSString *title in titles) {
        [sections addObject:[[FixedListSection alloc] initWithTitle:title]];
    }
    for (Food *food in rows) {
        NSString *title = [food valueForKeyPath:@"kind"];
        NSUInteger place = title ? [titles indexOfObject:title] : NSNotFound;
        FixedListSection *section = place == NSNotFound ? sections.lastObject : sections[place];
        [section.foods addObject:food];
    }
    if (sections.lastObject.foods.count == 0) {
        [sections removeLastObject];
    }
    return sections;
}

@end

@interface FixedListViewController : UITableViewController
- (void)showSections:(NSArray<FixedListSection *> *)sections;
@end

@implementation FixedListViewController {
    NSArray<FixedListSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"fixed";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    [self showSections:[FixedList sectionsWithRows:FixedList.foods]];
}

- (void)showSections:(NSArray<FixedListSection *> *)sections {
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
    NSMutableArray<NSString *> *titles = [NSMutableArray array];
    for (FixedListSection *section in _sections) {
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

NS_ASSUME_NONNULL_END

// The expectations of the session about fixed.
// Import the header that declares the classes of FixedList.
@interface FixedListTests : XCTestCase
@end

@implementation FixedListTests

- (void)testContent {
    NSArray<Food *> *foods = FixedList.foods;
    NSArray<FixedListSection *> *sections = [FixedList sectionsWithRows:foods];
    XCTAssertEqualObjects([sections valueForKey:@"title"], (@[@"fruit", @"sweet", @"#"]));
}

@end
