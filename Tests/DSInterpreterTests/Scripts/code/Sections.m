// sections: simple
@import UIKit;

NS_ASSUME_NONNULL_BEGIN

@interface Section : NSObject
@property (nonatomic, copy) NSString *name;
@property (nonatomic, copy) NSString *title;
- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary;
@end

@implementation Section

- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary {
    self = [super init];
    if (self) {
        _name = dictionary[@"name"];
        _title = dictionary[@"title"];
    }
    return self;
}

@end

@interface SectionsSection : NSObject
@property (nonatomic, copy, readonly, nullable) NSString *title;
@property (nonatomic, readonly) NSMutableArray<Section *> *sectionsList;
- (instancetype)initWithTitle:(nullable NSString *)title;
@end

@implementation SectionsSection

- (instancetype)initWithTitle:(nullable NSString *)title {
    self = [super init];
    if (self) {
        _title = [title copy];
        _sectionsList = [NSMutableArray array];
    }
    return self;
}

@end

@interface Sections : NSObject
@property (class, nonatomic, readonly) NSArray<Section *> *sectionsList;
+ (NSArray<SectionsSection *> *)sectionsWithRows:(NSArray<Section *> *)sectionsList;
@end

@implementation Sections

+ (NSArray<Section *> *)sectionsList {
    return @[[[Section alloc] initWithDictionary:@{@"name": @"a", @"title": @"b"}]];
}

/// simple
+ (NSArray<SectionsSection *> *)sectionsWithRows:(NSArray<Section *> *)sectionsList {
    NSArray<Section *> *rows = sectionsList;
    SectionsSection *section = [[SectionsSection alloc] initWithTitle:@"a \"quoted\" \\(name)"];
    [section.sectionsList addObjectsFromArray:rows];
    return @[section];
}

@end

@interface SectionsViewController : UITableViewController
- (void)showSections:(NSArray<SectionsSection *> *)sections;
@end

@implementation SectionsViewController {
    NSArray<SectionsSection *> *_sections;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"sections";
    [self.tableView registerClass:[UITableViewCell class] forCellReuseIdentifier:@"cell"];
    [self showSections:[Sections sectionsWithRows:Sections.sectionsList]];
}

- (void)showSections:(NSArray<SectionsSection *> *)sections {
    _sections = [sections copy];
    [self.tableView reloadData];
}

- (NSInteger)numberOfSectionsInTableView:(UITableView *)tableView {
    return _sections.count;
}

- (NSInteger)tableView:(UITableView *)tableView numberOfRowsInSection:(NSInteger)section {
    return _sections[section].sectionsList.count;
}

- (UITableViewCell *)tableView:(UITableView *)tableView
         cellForRowAtIndexPath:(NSIndexPath *)indexPath {
    Section *sectionRow = _sections[indexPath.section].sectionsList[indexPath.row];
    UITableViewCell *cell = [tableView dequeueReusableCellWithIdentifier:@"cell"
        forIndexPath:indexPath];
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = sectionRow.name;
    content.secondaryText = sectionRow.title;
    cell.contentConfiguration = content;
    return cell;
}

- (nullable NSString *)tableView:(UITableView *)tableView
         titleForHeaderInSection:(NSInteger)section {
    return _sections[section].title;
}

@end

NS_ASSUME_NONNULL_END
