// The declarations of Foundation, UIKit, Core Data, XCTest and Instant Cocoa that generated code
// uses, with which clang checks it without these frameworks.
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define nil ((id)0)
#define NULL ((void *)0)
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define INT64_MIN (-9223372036854775807LL - 1)
#define MIN(A, B) ((A) < (B) ? (A) : (B))
#define XCTAssertEqual(a, b) ((void)((a) == (b)))
#define XCTAssertNotEqual(a, b) ((void)((a) != (b)))
#define XCTAssertGreaterThan(a, b) ((void)((a) > (b)))
#define XCTAssertGreaterThanOrEqual(a, b) ((void)((a) >= (b)))
#define XCTAssertLessThan(a, b) ((void)((a) < (b)))
#define XCTAssertLessThanOrEqual(a, b) ((void)((a) <= (b)))
#define XCTAssertEqualObjects(a, b) ((void)[(a) isEqual:(b)])
#define XCTAssertNotEqualObjects(a, b) ((void)[(a) isEqual:(b)])
#define XCTAssertNil(a) ((void)(a))
#define XCTAssertNotNil(a) ((void)(a))
#define XCTAssertTrue(a) ((void)(a))

typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef double NSTimeInterval;
// Some of the types without a prefix that the headers of the system declare.
typedef unsigned char Boolean, Byte, Style;
typedef int Fixed, Duration;
typedef long Size, ItemCount;
typedef struct Point { short v, h; } Point;
typedef struct Rect { short top, left, bottom, right; } Rect;
typedef struct objc_method *Method;
typedef struct { NSUInteger location; NSUInteger length; } NSRange;
typedef struct { unsigned long state; id __unsafe_unretained *itemsPtr; unsigned long *mutationsPtr; unsigned long extra[5]; } NSFastEnumerationState;
enum : NSInteger { NSNotFound = 9223372036854775807L };
static inline NSRange NSMakeRange(NSUInteger location, NSUInteger length) {
    NSRange range = {location, length};
    return range;
}

@class NSString, NSArray<ObjectType>, NSPredicate;
@protocol NSObject
- (BOOL)isEqual:(id)object;
@end
@protocol NSCopying
@end
@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state objects:(id __unsafe_unretained [])buffer count:(NSUInteger)length;
@end
__attribute__((objc_root_class)) @interface NSObject <NSObject>
+ (instancetype)alloc;
+ (instancetype)new;
+ (Class)class;
- (instancetype)init;
- (id)copy;
- (NSString *)description;
- (id)valueForKey:(NSString *)key;
- (id)valueForKeyPath:(NSString *)path;
- (void)setValuesForKeysWithDictionary:(id)dictionary;
- (BOOL)isEqual:(id)object;
@end
@interface NSNull : NSObject <NSCopying>
@property (class, readonly) NSNull *null;
+ (NSNull *)null;
@end
@interface NSString : NSObject <NSCopying>
@property (readonly) NSUInteger length;
@property (readonly) NSString *uppercaseString;
@property (readonly) NSString *lowercaseString;
- (BOOL)isEqualToString:(NSString *)other;
- (NSString *)substringWithRange:(NSRange)range;
- (NSRange)rangeOfComposedCharacterSequenceAtIndex:(NSUInteger)index;
- (NSInteger)caseInsensitiveCompare:(NSString *)other;
- (NSInteger)localizedCompare:(NSString *)other;
- (NSInteger)localizedCaseInsensitiveCompare:(NSString *)other;
- (NSInteger)localizedStandardCompare:(NSString *)other;
@end
@interface NSConstantString : NSString {
    char *bytes;
    int size;
}
@end
@interface NSNumber : NSObject <NSCopying>
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithLong:(long)value;
+ (NSNumber *)numberWithLongLong:(long long)value;
+ (NSNumber *)numberWithDouble:(double)value;
+ (NSNumber *)numberWithBool:(BOOL)value;
@end
@interface NSDecimalNumber : NSNumber
+ (instancetype)decimalNumberWithString:(NSString *)text;
@end
@interface NSDate : NSObject <NSCopying>
+ (instancetype)dateWithTimeIntervalSince1970:(NSTimeInterval)seconds;
@end
@interface NSData : NSObject <NSCopying>
+ (instancetype)dataWithBytes:(const void *)bytes length:(NSUInteger)length;
@end
@interface NSURL : NSObject
+ (NSURL *)fileURLWithPath:(NSString *)path;
@end
@interface NSError : NSObject
@property (readonly, copy) NSString *localizedDescription;
@end
@interface NSArray<__covariant ObjectType> : NSObject <NSFastEnumeration, NSCopying>
@property (readonly) NSUInteger count;
@property (readonly) ObjectType firstObject;
@property (readonly) ObjectType lastObject;
+ (instancetype)array;
+ (instancetype)arrayWithObjects:(const ObjectType [])objects count:(NSUInteger)count;
- (ObjectType)objectAtIndexedSubscript:(NSUInteger)index;
- (NSUInteger)indexOfObject:(ObjectType)object;
- (NSArray<ObjectType> *)subarrayWithRange:(NSRange)range;
- (NSArray<ObjectType> *)filteredArrayUsingPredicate:(NSPredicate *)predicate;
- (NSArray<ObjectType> *)sortedArrayUsingDescriptors:(NSArray *)descriptors;
- (NSArray<ObjectType> *)copy;
@end
@interface NSMutableArray<ObjectType> : NSArray<ObjectType>
- (void)addObject:(ObjectType)object;
- (void)addObjectsFromArray:(NSArray<ObjectType> *)objects;
- (void)removeLastObject;
- (void)sortUsingDescriptors:(NSArray *)descriptors;
- (void)filterUsingPredicate:(NSPredicate *)predicate;
@end
@interface NSSet : NSObject
@property (readonly) NSUInteger count;
+ (instancetype)setWithArray:(NSArray *)objects;
@end
@interface NSIndexSet : NSObject
+ (instancetype)indexSetWithIndex:(NSUInteger)index;
@end
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying>
+ (instancetype)dictionaryWithObjects:(const ObjectType [])objects forKeys:(const id<NSCopying> [])keys count:(NSUInteger)count;
+ (instancetype)dictionary;
- (ObjectType)objectForKeyedSubscript:(KeyType)key;
@end
@interface NSMutableDictionary<KeyType, ObjectType> : NSDictionary<KeyType, ObjectType>
- (void)setObject:(ObjectType)object forKeyedSubscript:(KeyType)key;
@end
@interface NSPredicate : NSObject
+ (NSPredicate *)predicateWithFormat:(NSString *)format, ...;
@end
@interface NSSortDescriptor : NSObject
+ (instancetype)sortDescriptorWithKey:(NSString *)key ascending:(BOOL)ascending;
+ (instancetype)sortDescriptorWithKey:(NSString *)key ascending:(BOOL)ascending selector:(SEL)selector;
@end
@interface NSIndexPath : NSObject
@property (readonly) NSInteger section, row;
+ (instancetype)indexPathForRow:(NSInteger)row inSection:(NSInteger)section;
@end
extern NSString *const NSCalendarIdentifierISO8601;
@interface NSCalendar : NSObject
+ (instancetype)calendarWithIdentifier:(NSString *)identifier;
@end
@interface NSLocale : NSObject
+ (instancetype)localeWithLocaleIdentifier:(NSString *)identifier;
@end
@interface NSTimeZone : NSObject
+ (instancetype)timeZoneForSecondsFromGMT:(NSInteger)seconds;
@end
@interface NSDateFormatter : NSObject
@property NSCalendar *calendar;
@property NSLocale *locale;
@property NSTimeZone *timeZone;
@property (copy) NSString *dateFormat;
- (NSString *)stringFromDate:(NSDate *)date;
@end
@interface NSBundle : NSObject
+ (NSBundle *)bundleForClass:(Class)type;
@end

@interface UIListContentConfiguration : NSObject
@property (copy) NSString *text, *secondaryText;
@end
@interface UITableViewCell : NSObject
@property (copy) id contentConfiguration;
- (UIListContentConfiguration *)defaultContentConfiguration;
@end
typedef NSInteger UITableViewRowAnimation;
enum { UITableViewRowAnimationAutomatic = 100 };
typedef NSInteger UITableViewStyle;
enum { UITableViewStylePlain };
@interface UITableView : NSObject
- (void)registerClass:(Class)type forCellReuseIdentifier:(NSString *)identifier;
- (UITableViewCell *)dequeueReusableCellWithIdentifier:(NSString *)identifier forIndexPath:(NSIndexPath *)path;
- (void)reloadData;
- (void)beginUpdates;
- (void)endUpdates;
- (void)insertSections:(NSIndexSet *)sections withRowAnimation:(UITableViewRowAnimation)animation;
- (void)deleteSections:(NSIndexSet *)sections withRowAnimation:(UITableViewRowAnimation)animation;
- (void)insertRowsAtIndexPaths:(NSArray<NSIndexPath *> *)paths withRowAnimation:(UITableViewRowAnimation)animation;
- (void)deleteRowsAtIndexPaths:(NSArray<NSIndexPath *> *)paths withRowAnimation:(UITableViewRowAnimation)animation;
- (void)reloadRowsAtIndexPaths:(NSArray<NSIndexPath *> *)paths withRowAnimation:(UITableViewRowAnimation)animation;
@end
@interface UIViewController : NSObject
@property (copy) NSString *title;
- (void)viewDidLoad;
- (void)viewDidAppear:(BOOL)animated;
- (void)presentViewController:(UIViewController *)controller animated:(BOOL)animated completion:(void (^)(void))completion;
@end
typedef NSInteger UIAlertActionStyle;
enum { UIAlertActionStyleDefault };
@interface UIAlertAction : NSObject
+ (instancetype)actionWithTitle:(NSString *)title style:(UIAlertActionStyle)style handler:(void (^)(UIAlertAction *))handler;
@end
typedef NSInteger UIAlertControllerStyle;
enum { UIAlertControllerStyleAlert = 1 };
@interface UIAlertController : UIViewController
+ (instancetype)alertControllerWithTitle:(NSString *)title message:(NSString *)message preferredStyle:(UIAlertControllerStyle)style;
- (void)addAction:(UIAlertAction *)action;
@end
@interface UITableViewController : UIViewController
@property UITableView *tableView;
- (instancetype)initWithStyle:(UITableViewStyle)style;
@end
@interface UILocalizedIndexedCollation : NSObject
@property (readonly) NSArray<NSString *> *sectionTitles;
@property (readonly) NSArray<NSString *> *sectionIndexTitles;
+ (instancetype)currentCollation;
- (NSInteger)sectionForSectionIndexTitleAtIndex:(NSInteger)index;
- (NSInteger)sectionForObject:(id)object collationStringSelector:(SEL)selector;
@end
@interface NSDiffableDataSourceSnapshot<SectionType, ItemType> : NSObject
@property (readonly) NSArray<SectionType> *sectionIdentifiers;
- (void)appendSectionsWithIdentifiers:(NSArray<SectionType> *)sections;
- (void)appendItemsWithIdentifiers:(NSArray<ItemType> *)items intoSectionWithIdentifier:(SectionType)section;
@end
@interface UITableViewDiffableDataSource<SectionType, ItemType> : NSObject
@property (readonly) NSDiffableDataSourceSnapshot<SectionType, ItemType> *snapshot;
- (instancetype)initWithTableView:(UITableView *)tableView cellProvider:(UITableViewCell * (^)(UITableView *, NSIndexPath *, ItemType))provider;
- (void)applySnapshot:(NSDiffableDataSourceSnapshot<SectionType, ItemType> *)snapshot animatingDifferences:(BOOL)animates;
@end

@interface NSManagedObjectModel : NSObject
+ (NSManagedObjectModel *)mergedModelFromBundles:(NSArray<NSBundle *> *)bundles;
@end
@interface NSManagedObjectContext : NSObject
@end
@interface NSManagedObject : NSObject
- (instancetype)initWithContext:(NSManagedObjectContext *)context;
@end
@interface NSFetchRequest<ResultType> : NSObject
+ (instancetype)fetchRequestWithEntityName:(NSString *)name;
@property NSPredicate *predicate;
@property (copy) NSArray<NSSortDescriptor *> *sortDescriptors;
@property NSUInteger fetchOffset, fetchLimit, fetchBatchSize;
@end
@protocol NSFetchedResultsSectionInfo <NSObject>
@property (readonly) NSString *name;
@property (readonly) NSUInteger numberOfObjects;
@end
typedef enum : NSUInteger {
    NSFetchedResultsChangeInsert = 1, NSFetchedResultsChangeDelete, NSFetchedResultsChangeMove, NSFetchedResultsChangeUpdate
} NSFetchedResultsChangeType;
@protocol NSFetchedResultsControllerDelegate <NSObject>
@end
@interface NSFetchedResultsController<ResultType> : NSObject
@property (weak) id<NSFetchedResultsControllerDelegate> delegate;
@property (readonly) NSArray<id<NSFetchedResultsSectionInfo>> *sections;
@property (readonly) NSArray<ResultType> *fetchedObjects;
@property (readonly) NSArray<NSString *> *sectionIndexTitles;
- (instancetype)initWithFetchRequest:(NSFetchRequest<ResultType> *)request managedObjectContext:(NSManagedObjectContext *)context sectionNameKeyPath:(NSString *)path cacheName:(NSString *)name;
- (BOOL)performFetch:(NSError **)error;
- (ResultType)objectAtIndexPath:(NSIndexPath *)path;
- (NSInteger)sectionForSectionIndexTitle:(NSString *)title atIndex:(NSInteger)index;
@end
@interface NSPersistentStoreDescription : NSObject
@property NSURL *URL;
@end
@interface NSPersistentContainer : NSObject
@property (readonly) NSManagedObjectContext *viewContext;
@property (copy) NSArray<NSPersistentStoreDescription *> *persistentStoreDescriptions;
+ (instancetype)persistentContainerWithName:(NSString *)name managedObjectModel:(NSManagedObjectModel *)model;
- (void)loadPersistentStoresWithCompletionHandler:(void (^)(NSPersistentStoreDescription *, NSError *))block;
@end
@interface XCTestCase : NSObject
@end

// Instant Cocoa, as its headers declare it.
@protocol ICMappable <NSObject>
- (instancetype)initWithDictionary:(NSDictionary *)dictionary;
@property (nonatomic, copy, readonly) NSDictionary *dictionaryRepresentation;
@end
@protocol ICDataSourceDelegate;
@protocol ICDataSource <NSObject>
@property (nonatomic, weak) id<ICDataSourceDelegate> delegate;
@property (nonatomic, strong) NSString *name;
@property (nonatomic, strong, readonly) NSArray *sectionTitles;
@property (nonatomic, strong, readonly) NSArray *allObjects;
@property (nonatomic, assign, readonly) NSUInteger numberOfSections;
- (NSUInteger)numberOfObjectsInSection:(NSUInteger)section;
- (id)objectAtIndexPath:(NSIndexPath *)path;
- (NSIndexPath *)indexPathForObject:(id)object;
- (void)fetchData;
@end
@interface ICSimpleDataSource : NSObject <ICDataSource>
- (instancetype)initWithObjects:(NSArray *)objects;
@end
@interface ICSectionedDataSource : NSObject <ICDataSource>
- (instancetype)initWithDataSource:(id<ICDataSource>)dataSource sectioningKey:(NSString *)key sortDescriptors:(NSArray *)descriptors;
@end
@interface ICMultiDataSource : NSObject <ICDataSource>
@property (nonatomic, assign) BOOL preserveSectionsInSubDataSources;
- (instancetype)initWithDataSources:(NSArray *)dataSources;
@end
typedef enum : NSUInteger {
    ICRemoteDataSourceShouldStoreLoadingPlaceholder = 1 << 1,
    ICRemoteDataSourceShouldStoreNoResultsPlaceholder = 1 << 2,
    ICRemoteDataSourceShouldStoreErrors = 1 << 3,
} ICRemoteDataSourceStorage;
@interface ICRemoteDataSource : NSObject <ICDataSource>
@property (nonatomic, assign) ICRemoteDataSourceStorage placeholderStorageOptions;
@property (nonatomic, strong) Class mappingClass;
@property (nonatomic, strong) NSDictionary *queryParameters;
@property (nonatomic, strong) NSString *apiPath, *keyPath;
@end
@interface ICPaginatorKeys : NSObject
@property (nonatomic, strong) NSString *pageSize, *currentPage, *numberOfPages, *numberOfTotalObjects;
@end
@interface ICPaginatedDataSource : NSObject <ICDataSource>
@property (nonatomic, assign) ICRemoteDataSourceStorage placeholderStorageOptions;
@property (nonatomic, strong) ICPaginatorKeys *keys;
@property (nonatomic, strong) Class mappingClass;
@property (nonatomic, strong) NSDictionary *queryParameters;
@property (nonatomic, strong) NSString *apiPath, *keyPath;
@end
@interface ICTableViewController : UIViewController
@property (nonatomic, strong) id<ICDataSource> dataSource;
@end
