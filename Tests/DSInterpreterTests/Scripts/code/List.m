// list: paginated, GET http://example.test/list?q=a%20%22b%22%20%26%20c, at items, by page
@import UIKit;

NS_ASSUME_NONNULL_BEGIN

@interface ListRow : NSObject
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

@end

@interface ListSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<ListRow *> *list;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation ListSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _list = [NSMutableArray array];
    }
    return self;
}

@end

@interface List : NSObject
+ (NSArray<ListSection *> *)sectionsWithRows:(NSArray<ListRow *> *)list;
@end

@implementation List

/// paginated, GET http://example.test/list?q=a%20%22b%22%20%26%20c, at items, by page
+ (NSArray<ListSection *> *)sectionsWithRows:(NSArray<ListRow *> *)list {
    NSArray<ListRow *> *rows = list;
    ListSection *section = [[ListSection alloc] initWithTitle:nil];
    [section.list addObjectsFromArray:rows];
    return @[section];
}

@end

@interface ListViewController : UITableViewController
- (void)showSections:(NSArray<ListSection *> *)sections;
@end

@implementation ListViewController {
    NSArray<ListSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"list";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    // Make list from the dictionaries of list, then call showSections: with [List
    // sectionsWithRows:list].
}

- (void)showSections:(NSArray<ListSection *> *)sections {
    _sections = [sections copy];
    [self.tableView reloadData];
}

- (NSInteger)numberOfSectionsInTableView:(UITableView *)tableView {
    return _sections.count;
}

- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section {
    return _sections[section].list.count;
}

- (UITableViewCell *)tableView:(UITableView *)tableView
         cellForRowAtIndexPath:(NSIndexPath *)indexPath {
    ListRow *listRow = _sections[indexPath.section].list[indexPath.row];
    UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@"cell"
        forIndexPath:indexPath];
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = [listRow.idValue description];
    content.secondaryText = listRow.name;
    cell.contentConfiguration = content;
    return cell;
}

- (nullable NSString *)tableView:(UITableView *)tableView
         titleForHeaderInSection:(NSInteger)section {
    return _sections[section].title;
}

@end

NS_ASSUME_NONNULL_END
