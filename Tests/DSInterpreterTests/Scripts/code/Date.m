// date: sectioned by class, sorted by class, where class != "\"q\" \\(x) \\" and title != "??/ \\ .
// self.x %@"
@import UIKit;
@import XCTest;

NS_ASSUME_NONNULL_BEGIN

@interface DateRow : NSObject
@property (nonatomic, copy) NSString *classValue;
@property (nonatomic, copy) NSString *aB;
@property (nonatomic, copy) NSString *lineBreak;
@property (nonatomic, copy) NSString *value;
@property (nonatomic, strong) NSNumber *selfValue;
@property (nonatomic, strong) NSNumber *whereValue;
@property (nonatomic, strong) NSNumber *unitPrice;
@property (nonatomic, copy) NSString *title;
@property (nonatomic, copy) NSString *descriptionValue;
@property (nonatomic, copy) NSString *value2;
@property (nonatomic, copy) NSString *context;
@property (nonatomic, copy) NSString *dateRow;
@property (nonatomic, strong) NSDate *date;
- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary;
@end

@implementation DateRow

- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary {
    self = [super init];
    if (self) {
        _classValue = dictionary[@"class"];
        _aB = dictionary[@"a\\b"];
        _lineBreak = dictionary[@"line\nbreak"];
        _value = dictionary[@"😀"];
        _selfValue = dictionary[@"self"];
        _whereValue = dictionary[@"where"];
        _unitPrice = dictionary[@"unit price"];
        _title = dictionary[@"title"];
        _descriptionValue = dictionary[@"description"];
        _value2 = dictionary[@""];
        _context = dictionary[@"context"];
        _dateRow = dictionary[@"dateRow"];
        _date = dictionary[@"date"];
    }
    return self;
}

@end

@interface DateListSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<DateRow *> *dates;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation DateListSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _dates = [NSMutableArray array];
    }
    return self;
}

@end

@interface DateList : NSObject
@property (class, nonatomic, readonly) NSArray<DateRow *> *dates;
+ (NSArray<DateListSection *> *)sectionsWithRows:(NSArray<DateRow *> *)dates;
@end

@implementation DateList

+ (NSArray<DateRow *> *)dates {
    return @[
        [[DateRow alloc] initWithDictionary:@{
            @"class": @"say \"hi\"",
            @"a\\b": @"\\(x) \\",
            @"line\nbreak": @"1\n2",
            @"😀": @"😀",
            @"self": @1,
            @"where": @YES,
            @"unit price": @2.5,
            @"title": @"self.t",
            @"description": @"d",
            @"": @"e",
            @"context": @"c",
            @"dateRow": @"f",
            @"date": [NSDate dateWithTimeIntervalSince1970:1577923200],
        }],
        [[DateRow alloc] initWithDictionary:@{
            @"class": @"b",
            @"a\\b": @"?\?/",
            @"line\nbreak": @"",
            @"😀": @"\"\"\"",
            @"self": @2,
            @"where": @NO,
            @"unit price": @3,
            @"title": @"#",
            @"description": @"%@",
            @"": @"*/",
            @"context": @"//",
            @"dateRow": @"@",
            @"date": [NSDate dateWithTimeIntervalSince1970:1578009600],
        }],
    ];
}

/// sectioned by class, sorted by class, where class != "\"q\" \\(x) \\" and title != "??/ \\ self.x
/// %@"
+ (NSArray<DateListSection *> *)sectionsWithRows:(NSArray<DateRow *> *)dates {
    NSArray<DateRow *> *rows = dates;
    rows = [rows filteredArrayUsingPredicate:[NSPredicate predicateWithFormat:
        @"classValue != %@ AND title != %@",
        @"\"q\" \\(x) \\",
        @"?\?/ \\ self.x %@"
    ]];
    rows = [rows sortedArrayUsingDescriptors:@[
        [NSSortDescriptor sortDescriptorWithKey:@"classValue" ascending:YES]
    ]];
    NSMutableArray<DateListSection *> *sections = [NSMutableArray array];
    for (DateRow *dateRow in rows) {
        NSString *title = [dateRow valueForKeyPath:@"classValue"];
        NSString *last = sections.lastObject.title;
        if (sections.count == 0 || !(title == last || [title isEqualToString:last])) {
            [sections addObject:[[DateListSection alloc] initWithTitle:title]];
        }
        [sections.lastObject.dates addObject:dateRow];
    }
    return sections;
}

@end

@interface DateListViewController : UITableViewController
- (void)showSections:(NSArray<DateListSection *> *)sections;
@end

@implementation DateListViewController {
    NSArray<DateListSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"date";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    [self showSections:[DateList sectionsWithRows:DateList.dates]];
}

- (void)showSections:(NSArray<DateListSection *> *)sections {
    _sections = [sections copy];
    [self.tableView reloadData];
}

- (NSInteger)numberOfSectionsInTableView:(UITableView *)tableView {
    return _sections.count;
}

- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section {
    return _sections[section].dates.count;
}

- (UITableViewCell *)tableView:(UITableView *)tableView
         cellForRowAtIndexPath:(NSIndexPath *)indexPath {
    DateRow *dateRow = _sections[indexPath.section].dates[indexPath.row];
    UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@"cell"
        forIndexPath:indexPath];
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = dateRow.classValue;
    content.secondaryText = dateRow.aB;
    cell.contentConfiguration = content;
    return cell;
}

- (nullable NSString *)tableView:(UITableView *)tableView
         titleForHeaderInSection:(NSInteger)section {
    return _sections[section].title;
}

- (nullable NSArray<NSString *> *)sectionIndexTitlesForTableView:(UITableView *)tableView {
    NSMutableArray<NSString *> *titles = [NSMutableArray array];
    for (DateListSection *section in _sections) {
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

// The expectations of the session about date.
// Import the header that declares the classes of DateList.
@interface DateListTests : XCTestCase
@end

@implementation DateListTests

- (void)testContent {
    NSArray<DateRow *> *dates = DateList.dates;
    NSArray<DateListSection *> *sections = [DateList sectionsWithRows:dates];
    XCTAssertEqualObjects([sections[1].dates[0] valueForKeyPath:@"classValue"], @"say \"hi\"");
    XCTAssertEqualObjects([sections[1].dates[0] valueForKeyPath:@"title"], @"self.t");
    XCTAssertEqualObjects([sections valueForKey:@"title"], (@[@"b", @"say \"hi\""]));
    // Not written: expect all date where: class CONTAINS "\\" or class != "\n" or title != "*/"
    // (only the library can check it)
}

@end
