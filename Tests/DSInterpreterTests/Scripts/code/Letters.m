// letters: sectioned by name.firstCharacter, sorted by name
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

@interface NSString (FirstCharacter)
@property (nonatomic, readonly, nullable) NSString *firstCharacter;
@end

@implementation NSString (FirstCharacter)

- (nullable NSString *)firstCharacter {
    if (self.length == 0) {
        return nil;
    }
    return [self substringWithRange:[self rangeOfComposedCharacterSequenceAtIndex:0]];
}

@end

@interface LettersSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<Food *> *foods;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation LettersSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _foods = [NSMutableArray array];
    }
    return self;
}

@end

@interface Letters : NSObject
@property (class, nonatomic, readonly) NSArray<Food *> *foods;
+ (NSArray<LettersSection *> *)sectionsWithRows:(NSArray<Food *> *)foods;
@end

@implementation Letters

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

/// sectioned by name.firstCharacter, sorted by name
+ (NSArray<LettersSection *> *)sectionsWithRows:(NSArray<Food *> *)foods {
    NSArray<Food *> *rows = foods;
    rows = [rows sortedArrayUsingDescriptors:@[
        [NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES]
    ]];
    NSMutableArray<LettersSection *> *sections = [NSMutableArray array];
    for (Food *food in rows) {
        NSString *title = [food valueForKeyPath:@"name.firstCharacter"];
        NSString *last = sections.lastObject.title;
        if (sections.count == 0 || !(title == last || [title isEqualToString:last])) {
            [sections addObject:[[LettersSection alloc] initWithTitle:title]];
        }
        [sections.lastObject.foods addObject:food];
    }
    return sections;
}

@end

@interface LettersViewController : UITableViewController
- (void)showSections:(NSArray<LettersSection *> *)sections;
@end

@implementation LettersViewController {
    NSArray<LettersSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"letters";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    [self showSections:[Letters sectionsWithRows:Letters.foods]];
}

- (void)showSections:(NSArray<LettersSection *> *)sections {
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
    for (LettersSection *section in _sections) {
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

// The expectations of the session about letters.
// Import the header that declares the classes of Letters.
@interface LettersTests : XCTestCase
@end

@implementation LettersTests

- (void)testContent {
    NSArray<Food *> *foods = Letters.foods;
    NSArray<LettersSection *> *sections = [Letters sectionsWithRows:foods];
    XCTAssertEqual(sections.count, 5);
    XCTAssertEqualObjects([sections valueForKey:@"title"], (@[@"A", @"B", @"C", @"P", @"É"]));
    XCTAssertEqualObjects([sections[0].foods[0] valueForKeyPath:@"name"], @"Apple");
    XCTAssertNil([sections[0].foods[0] valueForKeyPath:@"price"]);
    XCTAssertEqual(
        [NSSet setWithArray:[((NSArray *)[sections valueForKeyPath:@"@unionOfArrays.foods"]) valueForKeyPath:@"name"]].count,
        ((NSArray *)[sections valueForKeyPath:@"@unionOfArrays.foods"]).count
    );
    // Not written: expect (indexPath letters {name: Carrot}) == [2, 0] (only the library can check
    // it)
}

@end
