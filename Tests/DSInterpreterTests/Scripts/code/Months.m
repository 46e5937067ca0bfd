// months: sectioned by sold, month, sorted by sold desc
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

@interface MonthsSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<Food *> *foods;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation MonthsSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _foods = [NSMutableArray array];
    }
    return self;
}

@end

@interface Months : NSObject
@property (class, nonatomic, readonly) NSArray<Food *> *foods;
+ (NSArray<MonthsSection *> *)sectionsWithRows:(NSArray<Food *> *)foods;
@end

@implementation Months

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

/// sectioned by sold, month, sorted by sold desc
+ (NSArray<MonthsSection *> *)sectionsWithRows:(NSArray<Food *> *)foods {
    NSArray<Food *> *rows = foods;
    rows = [rows sortedArrayUsingDescriptors:@[
        [NSSortDescriptor sortDescriptorWithKey:@"sold" ascending:NO]
    ]];
    NSDateFormatter *formatter = [[NSDateFormatter alloc] init];
    formatter.calendar = [NSCalendar calendarWithIdentifier:NSCalendarIdentifierISO8601];
    formatter.locale = [NSLocale localeWithLocaleIdentifier:@"en_US_POSIX"];
    formatter.timeZone = [NSTimeZone timeZoneForSecondsFromGMT:0];
    formatter.dateFormat = @"yyyy-MM";
    NSMutableArray<MonthsSection *> *sections = [NSMutableArray array];
    NSMutableDictionary<id, MonthsSection *> *sectionForTitle = [NSMutableDictionary dictionary];
    for (Food *food in rows) {
        NSString *title = [formatter stringFromDate:[food valueForKeyPath:@"sold"]];
        MonthsSection *section = sectionForTitle[title ?: NSNull.null];
        if (!section) {
            section = [[MonthsSection alloc] initWithTitle:title];
            sectionForTitle[title ?: NSNull.null] = section;
            [sections addObject:section];
        }
        [section.foods addObject:food];
    }
    NSSortDescriptor *order =
        [NSSortDescriptor sortDescriptorWithKey:@"title" ascending:YES];
    [sections sortUsingDescriptors:@[order]];
    return sections;
}

@end

@interface MonthsViewController : UITableViewController
- (void)showSections:(NSArray<MonthsSection *> *)sections;
@end

@implementation MonthsViewController {
    NSArray<MonthsSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"months";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    [self showSections:[Months sectionsWithRows:Months.foods]];
}

- (void)showSections:(NSArray<MonthsSection *> *)sections {
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
    for (MonthsSection *section in _sections) {
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
