import DataTables

/// The class of the rows of an app in Objective-C, whose properties key-value coding reads.
struct ObjectiveCRow {
  let type: String
  let variable: String
  let plural: String
  let attributes: [ManagedEntity.Attribute]
  /// Whether a category adds `firstCharacter` to strings.
  private(set) var needsFirstCharacter = false

  /// - Throws: ``CodeRefusal`` for objects that are not records.
  init(_ plural: String, shape: ValueShape) throws(CodeRefusal) {
    guard case .record(let fields) = shape.kind else {
      throw CodeRefusal(
        shape.kind == .nothing
          ? "the keys of the rows are not known, because \(plural) has no objects"
          : "the objects of \(plural) are not records, as the rows of the class are",
        fix: shape.kind == .nothing ? "fetch it first" : nil, use: nil)
    }
    type = ObjectiveCLiteral.identifiers.singular(plural)
    let variable = ObjectiveCLiteral.identifiers.lower(type)
    self.variable = SwiftLiteral.locals.contains(variable) ? variable + "Row" : variable
    let name = ObjectiveCLiteral.identifiers.lower(plural)
    let isTaken = name == self.variable || name == "rows" || SwiftLiteral.locals.contains(name)
    self.plural = isTaken ? name + "List" : name
    var names = UniqueNames()
    attributes = fields.map { field in
      ManagedEntity.Attribute(
        key: field.key,
        property: names.unique(ObjectiveCLiteral.identifiers.lower(field.key)), shape: field.shape)
    }
  }

  /// The key path of key-value coding, and the attribute that it begins with; nil for a path that
  /// Foundation does not have.
  func keyPath(
    _ path: ObjectKeyPath
  ) -> (text: String, attribute: ManagedEntity.Attribute, isDerived: Bool)? {
    var words: [String] = []
    var attribute: ManagedEntity.Attribute?
    for step in path.steps {
      guard case .key(let key) = step else { return nil }
      if let attribute {
        guard attribute.shape.kind == .string, let derived = Self.derived[key] else { return nil }
        words.append(derived)
      } else {
        guard let found = attributes.first(where: { $0.key == key }) else { return nil }
        attribute = found
        words.append(found.property)
      }
    }
    guard let attribute, path.steps.count <= 2 else { return nil }
    return (words.joined(separator: "."), attribute, words.count > 1)
  }

  private static let derived = [
    "firstCharacter": "firstCharacter", "uppercased": "uppercaseString",
    "lowercased": "lowercaseString",
  ]

  mutating func note(_ path: ObjectKeyPath) {
    if path.steps.last == .key("firstCharacter"), path.steps.count > 1 {
      needsFirstCharacter = true
    }
  }

  // MARK: Text

  /// The class.
  /// - Parameters:
  ///   - isMappable: whether Instant Cocoa makes rows from the objects of a response.
  ///   - readsJSON: whether the dictionaries may contain null.
  func add(to text: inout CodeText, isMappable: Bool = false, readsJSON: Bool = false) {
    text.add("@interface \(type) : NSObject\(isMappable ? " <ICMappable>" : "")")
    for attribute in attributes {
      let (type, ownership) = attribute.objectType
      let nullable = attribute.shape.isOptional ? ", nullable" : ""
      text.add("@property (nonatomic, \(ownership)\(nullable)) \(type)\(attribute.property);")
    }
    text.add("- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary;")
    text.add("@end")
    text.separate()
    text.add("@implementation \(type)")
    text.separate()
    text.block(
      "- (instancetype)initWithDictionary:(NSDictionary<NSString *, id> *)dictionary {"
    ) { text in
      text.add("self = [super init];")
      text.block("if (self) {") { text in
        for attribute in attributes {
          let value = "dictionary[\(ObjectiveCLiteral.string(attribute.key))]"
          // JSON may have nulls that the session has not seen.
          let mayBeNull = readsJSON || attribute.shape.isOptional
          text.add(
            "_\(attribute.property) = "
              + (mayBeNull ? "\(value) == NSNull.null ? nil : \(value);" : "\(value);"))
        }
      }
      text.add("return self;")
    }
    if isMappable {
      text.separate()
      text.block("- (NSDictionary *)dictionaryRepresentation {") { text in
        text.add(
          "NSMutableDictionary<NSString *, id> *dictionary = [NSMutableDictionary dictionary];")
        for attribute in attributes {
          let key = ObjectiveCLiteral.string(attribute.key)
          text.add("dictionary[\(key)] = self.\(attribute.property);")
        }
        text.add("return dictionary;")
      }
    }
    text.separate()
    text.add("@end")
    guard needsFirstCharacter else { return }
    text.separate()
    text.add(Self.firstCharacter)
  }

  static let firstCharacter = """
    @interface NSString (FirstCharacter)
    @property (nonatomic, readonly, nullable) NSString *firstCharacter;
    @end

    @implementation NSString (FirstCharacter)

    - (nullable NSString *)firstCharacter {
        if (self.length == 0) {
            return nil;
        }
        return [self substringWithRange:[self rangeOfComposedCharacterSequenceAtIndex:0]];
    }

    @end
    """

  /// An object made from a dictionary.
  func literal(_ value: Value) -> Argument {
    let lead = "[[\(type) alloc] initWithDictionary:"
    guard case .call(let head, let pairs, let close, let comma) = ObjectiveCLiteral.object(value)
    else { return .text("\(lead)@{}]") }
    return .call(lead + head, pairs, close: close + "]", trailingComma: comma)
  }

  /// The statements that show a row in a cell.
  func cell(_ object: String) -> [String] {
    let shown = attributes.filter {
      [.bool, .integer, .double, .decimal, .string, .date(.day)].contains($0.shape.kind)
    }
    var lines = ["UIListContentConfiguration *content = [cell defaultContentConfiguration];"]
    for (label, attribute) in zip(["text", "secondaryText"], shown) {
      let value = "\(object).\(attribute.property)"
      lines.append(
        "content.\(label) = \(attribute.shape.kind == .string ? value : "[\(value) description]");")
    }
    return lines + ["cell.contentConfiguration = content;"]
  }
}

extension ManagedEntity.Attribute {
  /// The type of a property that key-value coding sets, and its ownership.
  var objectType: (String, String) {
    switch shape.kind {
    case .bool, .integer, .double: ("NSNumber *", "strong")
    case .decimal: ("NSDecimalNumber *", "strong")
    case .date: ("NSDate *", "strong")
    case .data: ("NSData *", "copy")
    case .string, .nothing: ("NSString *", "copy")
    case .array: ("NSArray *", "copy")
    case .record: ("NSDictionary<NSString *, id> *", "copy")
    case .mixed: ("id ", "strong")
    }
  }
}
