// all: multi
// With Instant Cocoa, https://github.com/khanlou/InstantCocoa.
#import "ICModelProtocols.h"
#import "ICMultiDataSource.h"
#import "ICPaginatedDataSource.h"
#import "ICRemoteDataSource.h"
#import "ICSimpleDataSource.h"
#import "ICTableViewController.h"

@interface Row : NSObject <ICMappable>
@property (nonatomic, copy) NSString *name;
@property (nonatomic, copy) NSString *kind;
@property (nonatomic, strong, nullable) NSNumber *price;
@property (nonatomic, strong) NSDate *sold;
- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary;
@end

@implementation Row

- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary {
    self = [super init];
    if (self) {
        _name = dictionary[@"name"] == NSNull.null ? nil : dictionary[@"name"];
        _kind = dictionary[@"kind"] == NSNull.null ? nil : dictionary[@"kind"];
        _price = dictionary[@"price"] == NSNull.null ? nil : dictionary[@"price"];
        _sold = dictionary[@"sold"] == NSNull.null ? nil : dictionary[@"sold"];
    }
    return self;
}

- (NSDictionary *)dictionaryRepresentation {
    NSMutableDictionary<NSString *, id> *dictionary = [NSMutableDictionary dictionary];
    dictionary[@"name"] = self.name;
    dictionary[@"kind"] = self.kind;
    dictionary[@"price"] = self.price;
    dictionary[@"sold"] = self.sold;
    return dictionary;
}

@end

@interface AllViewController : ICTableViewController
+ (id<ICDataSource>)makeDataSource;
@end

@implementation AllViewController

+ (NSArray<Row *> *)foodsRows {
    return @[
        [[Row alloc] initWithDictionary:@{
            @"name": @"Pie",
            @"kind": @"sweet",
            @"price": @2.5,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1351814400],
        }],
        [[Row alloc] initWithDictionary:@{
            @"name": @"Carrot",
            @"kind": @"vegetable",
            @"price": @1,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1354320000],
        }],
        [[Row alloc] initWithDictionary:@{
            @"name": @"Apple",
            @"kind": @"fruit",
            @"sold": [NSDate dateWithTimeIntervalSince1970:1353369600],
        }],
        [[Row alloc] initWithDictionary:@{
            @"name": @"Banana",
            @"kind": @"fruit",
            @"price": @1.25,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1357344000],
        }],
        [[Row alloc] initWithDictionary:@{
            @"name": @"Élan",
            @"kind": @"sweet",
            @"price": @4,
            @"sold": [NSDate dateWithTimeIntervalSince1970:1357430400],
        }],
    ];
}

+ (id<ICDataSource>)makeDataSource {
    ICSimpleDataSource *foods = [[ICSimpleDataSource alloc] initWithObjects:[self foodsRows]];
    ICRemoteDataSource *posts = [[ICRemoteDataSource alloc] init];
    // The base URL, https://example.test, headers and secrets belong to a subclass of
    // ICRemoteConfiguration.
    posts.apiPath = @"posts";
    posts.mappingClass = [Row class];
    posts.keyPath = @"data.posts";
    posts.queryParameters = @{@"page": @"2"};
    posts.placeholderStorageOptions = ICRemoteDataSourceShouldStoreLoadingPlaceholder;
    ICPaginatedDataSource *pages = [[ICPaginatedDataSource alloc] init];
    // The base URL, https://example.test, headers and secrets belong to a subclass of
    // ICRemoteConfiguration.
    pages.apiPath = @"pages";
    pages.mappingClass = [Row class];
    pages.queryParameters = @{@"page_size": @"20"};
    pages.placeholderStorageOptions = 0;
    ICMultiDataSource *all = [[ICMultiDataSource alloc] initWithDataSources:@[foods, posts, pages]];
    return all;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"all";
    self.dataSource = [AllViewController makeDataSource];
    [self.dataSource fetchData];
}

- (void)configureCell:(UITableViewCell *)cell withObject:(Row *)row {
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = row.name;
    content.secondaryText = row.kind;
    cell.contentConfiguration = content;
}

- (NSString *)tableView:(UITableView *)tableView
    titleForHeaderInSection:(NSInteger)section {
    return [self.dataSource.sectionTitles[section] description];
}

@end
