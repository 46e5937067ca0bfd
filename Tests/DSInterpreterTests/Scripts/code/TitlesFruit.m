// fruit: filtered by kind == "fruit"
@import UIKit;
@import XCTest;

NS_ASSUME_NONNULL_BEGIN

@interface Food : NSObject
@property (nonatomic, copy) NSString *name;
@property (nonatomic, copy) NSString *kind;
- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary;
@end

@implementation Food

- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary {
    self = [super init];
    if (self) {
        _name = dictionary[@"name"];
        _kind = dictionary[@"kind"];
    }
    return self;
}

@end

@interface FruitSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<Food *> *foods;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation FruitSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _foods = [NSMutableArray array];
    }
    return self;
}

@end

@interface Fruit : NSObject
@property (class, nonatomic, readonly) NSArray<Food *> *foods;
+ (NSArray<FruitSection *> *)sectionsWithRows:(NSArray<Food *> *)foods;
@end

@implementation Fruit

+ (NSArray<Food *> *)foods {
    return @[
        [[Food alloc] initWithDictionary:@{@"name": @"Pie", @"kind": @"sweet"}],
        [[Food alloc] initWithDictionary:@{@"name": @"Apple", @"kind": @"fruit"}],
    ];
}

/// filtered by kind == "fruit"
+ (NSArray<FruitSection *> *)sectionsWithRows:(NSArray<Food *> *)foods {
    NSArray<Food *> *rows = foods;
    rows = [rows filteredArrayUsingPredicate:[NSPredicate predicateWithFormat:
        @"kind == %@",
        @"fruit"
    ]];
    FruitSection *section = [[FruitSection alloc] initWithTitle:@"Foods"];
    [section.foods addObjectsFromArray:rows];
    return @[section];
}

@end

@interface FruitViewController : UITableViewController
- (void)showSections:(NSArray<FruitSection *> *)sections;
@end

@implementation FruitViewController {
    NSArray<FruitSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"fruit";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    [self showSections:[Fruit sectionsWithRows:Fruit.foods]];
}

- (void)showSections:(NSArray<FruitSection *> *)sections {
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

@end

NS_ASSUME_NONNULL_END

// The expectations of the session about fruit.
// Import the header that declares the classes of Fruit.
@interface FruitTests : XCTestCase
@end

@implementation FruitTests

- (void)testContent {
    NSArray<Food *> *foods = Fruit.foods;
    NSArray<FruitSection *> *sections = [Fruit sectionsWithRows:foods];
    XCTAssertEqualObjects([sections valueForKey:@"title"], (@[@"Foods"]));
}

@end
