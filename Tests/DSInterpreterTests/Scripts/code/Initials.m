// initials: sectioned by name.firstCharacter, sorted by name
// With Instant Cocoa, https://github.com/khanlou/InstantCocoa.
#import "ICSectionedDataSource.h"
#import "ICSimpleDataSource.h"
#import "ICTableViewController.h"
@import UIKit;
@import XCTest;

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

@interface InitialsViewController : ICTableViewController
+ (id<ICDataSource>)makeDataSource;
@end

@implementation InitialsViewController

+ (NSArray<Food *> *)foodsRows {
    return @[
        [[Food alloc] initWithDictionary:@{@"name": @"Pie", @"kind": @"sweet"}],
        [[Food alloc] initWithDictionary:@{@"name": @"Apple", @"kind": @"fruit"}],
    ];
}

+ (id<ICDataSource>)makeDataSource {
    ICSimpleDataSource *foods = [[ICSimpleDataSource alloc] initWithObjects:[self foodsRows]];
    // The session delays fetches here, for a test.
    id<ICDataSource> late = foods;
    // The session lets fetches fail here, for a test.
    id<ICDataSource> weak = late;
    // The session keeps the content of the first fetch here, for a test.
    id<ICDataSource> kept = weak;
    ICSectionedDataSource *initials =
        [[ICSectionedDataSource alloc] initWithDataSource:kept
            sectioningKey:@"name.firstCharacter"
            sortDescriptors:@[[NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES]]];
    return initials;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"initials";
    self.dataSource = [InitialsViewController makeDataSource];
    [self.dataSource fetchData];
}

- (void)configureCell:(UITableViewCell *)cell withObject:(Food *)food {
    UIListContentConfiguration *content = [cell defaultContentConfiguration];
    content.text = food.name;
    content.secondaryText = food.kind;
    cell.contentConfiguration = content;
}

- (NSString *)tableView:(UITableView *)tableView
    titleForHeaderInSection:(NSInteger)section {
    return [self.dataSource.sectionTitles[section] description];
}

@end

// The expectations of the session about initials.
// Import the header that declares the classes of Initials.
@interface InitialsTests : XCTestCase
@end

@implementation InitialsTests

- (void)testContent {
    id<ICDataSource> dataSource = [InitialsViewController makeDataSource];
    [dataSource fetchData];
    XCTAssertEqualObjects(dataSource.sectionTitles, (@[@"A", @"P"]));
}

@end
