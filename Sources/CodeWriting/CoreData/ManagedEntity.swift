import DataTables

/// The entity whose objects are the rows of a fetched results controller.
struct ManagedEntity {
  /// `Food`
  let name: String
  /// `food`
  let variable: String
  let attributes: [Attribute]
  /// Keys whose values are not attributes of Core Data.
  let others: [String]

  struct Attribute {
    let key: String
    let property: String
    let shape: ValueShape
    /// The place of the value in a row.
    let path: ObjectKeyPath

    init(key: String, property: String, shape: ValueShape, path: ObjectKeyPath? = nil) {
      self.key = key
      self.property = property
      self.shape = shape
      self.path = path ?? ObjectKeyPath(key: key)
    }

    /// The value of a row, null if it has none.
    func value(in row: Value) -> Value {
      var value = row
      for case .key(let key) in path.steps {
        guard case .record(let record) = value else { return .null }
        value = record[key] ?? .null
      }
      return value
    }
  }

  /// - Parameter paths: key paths that a request reads; those into records become attributes.
  /// - Throws: ``CodeRefusal`` for rows that are not records.
  init(_ data: ChainSource, reading paths: [ObjectKeyPath]) throws(CodeRefusal) {
    guard !data.shape.fields.isEmpty else {
      throw CodeRefusal(
        data.shape.kind == .nothing
          ? "the types of the rows are not known, because \(data.name) has no objects"
          : "the objects of \(data.name) are not records, as those of an entity are",
        fix: data.shape.kind == .nothing ? "fetch it first" : nil,
        use: data.shape.kind == .nothing ? nil : "diffable")
    }
    name = Self.identifiers.singular(data.name)
    let variable = Self.identifiers.lower(name)
    self.variable = SwiftLiteral.locals.contains(variable) ? variable + "Row" : variable
    // The functions of the tests name a context and the object.
    var names = UniqueNames(["context", self.variable])
    var attributes: [Attribute] = []
    var others: [String] = []
    for field in data.shape.fields {
      switch field.shape.kind {
      case .array, .record, .mixed: others.append(field.key)
      default:
        attributes.append(
          Attribute(
            key: field.key, property: names.unique(Self.identifiers.lower(field.key)),
            shape: field.shape))
      }
    }
    for path in paths where path.steps.count > 1 {
      guard !attributes.contains(where: { $0.path == path }),
        let shape = data.shape.value(at: path)
      else { continue }
      let key = path.description
      attributes.append(
        Attribute(
          key: key, property: names.unique(Self.identifiers.lower(key)), shape: shape, path: path))
    }
    self.attributes = attributes
    self.others = others
  }

  /// Names that properties of managed objects must not have.
  static let identifiers = Identifier(
    reserved: SwiftLiteral.reserved.union([
      "description", "debugDescription", "entity", "objectID", "isDeleted", "isInserted",
      "isUpdated", "isFault", "hasChanges", "managedObjectContext", "superclass", "zone", "copy",
      "id", "int", "long", "float", "double", "char", "short", "const", "void", "struct", "union",
      "register", "signed", "unsigned", "sizeof", "static", "volatile", "auto", "enum", "extern",
      "goto", "typedef", "new", "SEL", "BOOL", "YES", "NO", "class", "selector", "NULL", "bool",
      "self", "super", "retain", "release", "autorelease", "dealloc", "init", "value",
    ]),
    types: SwiftLiteral.types.union(cTypes))

  /// Types of the system's headers of C and of the runtime; they have no prefix.
  private static let cTypes: Set<String> = [
    "Boolean", "Byte", "ByteCount", "Category", "Class", "Duration", "Fixed", "Float32", "Float64",
    "Fract", "Handle", "Ivar", "ItemCount", "LangCode", "Method", "Object", "Point", "Protocol",
    "Ptr", "Rect", "RegionCode", "ScriptCode", "Size", "Style", "TimeBase", "TimeScale",
    "TimeValue", "Wide",
  ]

  /// The property of a key path of one key.
  func property(_ path: ObjectKeyPath) -> String? { attribute(path)?.property }

  func attribute(_ path: ObjectKeyPath) -> Attribute? {
    attributes.first { $0.path == path }
  }
}

extension ValueShape {
  /// The shape of the single values at a path through records; nil for other paths.
  fileprivate func value(at path: ObjectKeyPath) -> ValueShape? {
    var shape = self.required
    for step in path.steps {
      guard case .key(let key) = step, let field = shape.fields.first(where: { $0.key == key })
      else { return nil }
      let isOptional = shape.isOptional || field.shape.isOptional
      shape = ValueShape(field.shape.kind, isOptional: isOptional)
    }
    switch shape.kind {
    case .array, .record, .mixed: return nil
    default: return shape
    }
  }
}

extension ManagedEntity.Attribute {
  /// The type in Swift; an optional number is an object.
  var swiftType: String {
    let mark = shape.isOptional ? "?" : ""
    return switch shape.kind {
    case .bool: shape.isOptional ? "NSNumber?" : "Bool"
    case .integer: shape.isOptional ? "NSNumber?" : "Int64"
    case .double: shape.isOptional ? "NSNumber?" : "Double"
    case .decimal: "NSDecimalNumber" + mark
    case .date: "Date" + mark
    case .data: "Data" + mark
    default: "String" + (shape.kind == .nothing ? "?" : mark)
    }
  }

  /// The case of `NSAttributeType`.
  var attributeType: String {
    switch shape.kind {
    case .bool: "booleanAttributeType"
    case .integer: "integer64AttributeType"
    case .double: "doubleAttributeType"
    case .decimal: "decimalAttributeType"
    case .date: "dateAttributeType"
    case .data: "binaryDataAttributeType"
    default: "stringAttributeType"
    }
  }

  /// The declaration of the property in Objective-C.
  var objectiveCProperty: String {
    let isNumber = [.bool, .integer, .double].contains(shape.kind)
    let type =
      switch shape.kind {
      case .bool where !shape.isOptional: "BOOL "
      case .integer where !shape.isOptional: "int64_t "
      case .double where !shape.isOptional: "double "
      case _ where isNumber: "NSNumber *"
      case .decimal: "NSDecimalNumber *"
      case .date: "NSDate *"
      case .data: "NSData *"
      default: "NSString *"
      }
    let attributes =
      type.hasSuffix(" ")
      ? "nonatomic" : shape.isOptional ? "nonatomic, nullable, copy" : "nonatomic, copy"
    return "@property (\(attributes)) \(type)\(property);"
  }
}
