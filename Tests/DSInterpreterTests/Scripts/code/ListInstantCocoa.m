// list: paginated, GET http://example.test/list?q=a%20%22b%22%20%26%20c, at items, by page
// With Instant Cocoa, https://github.com/khanlou/InstantCocoa.
#import "ICModelProtocols.h"
#import "ICPaginatedDataSource.h"
#import "ICTableViewController.h"

@interface ListRow : NSObject <ICMappable>
@property (nonatomic, strong) NSNumber *idValue;
@property (nonatomic, copy) NSString *name;
@property (nonatomic, copy) NSArray *tags;
- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary;
@end

@implementation ListRow

- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary {
    self = [super init];
    if (self) {
        _idValue = dictionary[@"id"] == NSNull.null ? nil : dictionary[@"id"];
        _name = dictionary[@"name"] == NSNull.null ? nil : dictionary[@"name"];
        _tags = dictionary[@"tags"] == NSNull.null ? nil : dictionary[@"tags"];
    }
    return self;
}

- (NSDictionary *)dictionaryRepresentation {
    NSMutableDictionary<NSString *, id> *dictionary = [NSMutableDictionary dictionary];
    dictionary[@"id"] = self.idValue;
    dictionary[@"name"] = self.name;
    dictionary[@"tags"] = self.tags;
    return dictionary;
}

@end

@interface ListViewController : ICTableViewController
+ (id<ICDataSource>)makeDataSource;
@end

@implementation ListViewController

+ (id<ICDataSource>)makeDataSource {
    ICPaginatedDataSource *list = [[ICPaginatedDataSource alloc] init];
    // The base URL, http://example.test, headers and secrets belong to a subclass of
    // ICRemoteConfiguration.
    list.apiPath = @"list";
    list.mappingClass = [ListRow class];
    list.keyPath = @"items";
    list.queryParameters = @{@"q": @"a \"b\" & c"};
    list.placeholderStorageOptions = 0;
    return list;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"list";
    self.dataSource = [ListViewController makeDataSource];
    [self.dataSource fetchData];
}

- (void)configureCell:(UITableViewCell *)cell withObject:(ListRow *)listRow {
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = [listRow.idValue description];
    content.secondaryText = listRow.name;
    cell.contentConfiguration = content;
}

- (NSString *)tableView:(UITableView *)tableView
    titleForHeaderInSection:(NSInteger)section {
    return [self.dataSource.sectionTitles[section] description];
}

@end
