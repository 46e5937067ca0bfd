// letters: sectioned by name.firstCharacter, sorted by name
// With Instant Cocoa, https://github.com/khanlou/InstantCocoa.
#import "ICSectionedDataSource.h"
#import "ICSimpleDataSource.h"
#import "ICTableViewController.h"
@import UIKit;
@import XCTest;

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

@interface LettersViewController : ICTableViewController
+ (id<ICDataSource>)makeDataSource;
@end

@implementation LettersViewController

+ (NSArray<Food *> *)foodsRows {
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

+ (id<ICDataSource>)makeDataSource {
    ICSimpleDataSource *foods = [[ICSimpleDataSource alloc] initWithObjects:[self foodsRows]];
    ICSectionedDataSource *letters =
        [[ICSectionedDataSource alloc] initWithDataSource:foods
            sectioningKey:@"name.firstCharacter"
            sortDescriptors:@[[NSSortDescriptor sortDescriptorWithKey:@"name" ascending:YES]]];
    return letters;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    self.title = @"letters";
    self.dataSource = [LettersViewController makeDataSource];
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

// The expectations of the session about letters.
// Import the header that declares the classes of Letters.
@interface LettersTests : XCTestCase
@end

@implementation LettersTests

- (void)testContent {
    id<ICDataSource> dataSource = [LettersViewController makeDataSource];
    [dataSource fetchData];
    XCTAssertEqual(dataSource.numberOfSections, 5);
    XCTAssertEqualObjects(dataSource.sectionTitles, (@[@"A", @"B", @"C", @"P", @"É"]));
    XCTAssertEqualObjects(
        [[dataSource objectAtIndexPath:[NSIndexPath indexPathForRow:0 inSection:0]] valueForKeyPath:@"name"],
        @"Apple"
    );
    XCTAssertNil(
        [[dataSource objectAtIndexPath:[NSIndexPath indexPathForRow:0 inSection:0]] valueForKeyPath:@"price"]
    );
    XCTAssertEqual(
        [NSSet setWithArray:[dataSource.allObjects valueForKeyPath:@"name"]].count,
        dataSource.allObjects.count
    );
    // Not written: expect (indexPath letters {name: Carrot}) == [2, 0] (only the library can check
    // it)
}

@end
