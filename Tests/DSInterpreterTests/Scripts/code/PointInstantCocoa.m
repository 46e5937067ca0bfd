// point: sectioned by title, sorted by title
// With Instant Cocoa, https://github.com/khanlou/InstantCocoa.
#import "ICSectionedDataSource.h"
#import "ICSimpleDataSource.h"
#import "ICTableViewController.h"

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

@interface PointViewController : ICTableViewController
+ (id<ICDataSource>)makeDataSource;
@end

@implementation PointViewController

+ (NSArray<DateRow *> *)datesRows {
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

+ (id<ICDataSource>)makeDataSource {
    ICSimpleDataSource *dates = [[ICSimpleDataSource alloc] initWithObjects:[self datesRows]];
    ICSectionedDataSource *point =
        [[ICSectionedDataSource alloc] initWithDataSource:dates
            sectioningKey:@"title"
            sortDescriptors:@[[NSSortDescriptor sortDescriptorWithKey:@"title" ascending:YES]]];
    return point;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"point";
    self.dataSource = [PointViewController makeDataSource];
    [self.dataSource fetchData];
}

- (void)configureCell:(UITableViewCell *)cell withObject:(DateRow *)dateRow {
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = dateRow.classValue;
    content.secondaryText = dateRow.aB;
    cell.contentConfiguration = content;
}

- (NSString *)tableView:(UITableView *)tableView
    titleForHeaderInSection:(NSInteger)section {
    return [self.dataSource.sectionTitles[section] description];
}

@end
