// best: top 1 by name
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

@interface BestSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<Food *> *foods;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation BestSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _foods = [NSMutableArray array];
    }
    return self;
}

@end

@interface Best : NSObject
@property (class, nonatomic, readonly) NSArray<Food *> *foods;
+ (NSArray<BestSection *> *)sectionsWithRows:(NSArray<Food *> *)foods;
@end

@implementation Best

+ (NSArray<Food *> *)foods {
    return @[
        [[Food alloc] initWithDictionary:@{@"name": @"Pie", @"kind": @"sweet"}],
        [[Food alloc] initWithDictionary:@{@"name": @"Apple", @"kind": @"fruit"}],
    ];
}

/// top 1 by name
+ (NSArray<BestSection *> *)sectionsWithRows:(NSArray<Food *> *)foods {
    NSArray<Food *> *rows = foods;
    rows = [rows sortedArrayUsingDescriptors:@[
        [NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES]
    ]];
    NSUInteger start = MIN(0, rows.count);
    rows = [rows subarrayWithRange:NSMakeRange(start, MIN(1, rows.count - start))];
    BestSection *section = [[BestSection alloc] initWithTitle:nil];
    [section.foods addObjectsFromArray:rows];
    return @[section];
}

@end

@interface BestViewController : UITableViewController
- (void)showSections:(NSArray<BestSection *> *)sections;
@end

@implementation BestViewController {
    NSArray<BestSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"best";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    [self showSections:[Best sectionsWithRows:Best.foods]];
}

- (void)showSections:(NSArray<BestSection *> *)sections {
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

// The expectations of the session about best.
// Import the header that declares the classes of Best.
@interface BestTests : XCTestCase
@end

@implementation BestTests

- (void)testContent {
    NSArray<Food *> *foods = Best.foods;
    NSArray<BestSection *> *sections = [Best sectionsWithRows:foods];
    XCTAssertEqualObjects([sections valueForKey:@"title"], (@[NSNull.null]));
}

@end
