import DataSources
import DataTables

/// An entity of Core Data and its fetch request with a table view controller, in Swift.
struct FetchedResultsSwift {
  private let request: FetchedEntity
  let name: String
  let chain: SourceChain
  /// The property for the names of the sections, and its body if it is computed.
  let section: (property: String, body: String?)?

  init(_ chain: SourceChain) throws(CodeRefusal) {
    self.chain = chain
    request = try FetchedEntity(chain)
    name = SwiftLiteral.identifiers.upper(chain.top.name)
    let (form, entity) = (request.form, request.entity)
    if let section = form.section {
      self.section = try Self.property(of: section, in: entity, form.data)
    } else {
      section = nil
    }
  }

  var form: FetchForm { request.form }
  var entity: ManagedEntity { request.entity }

  private static func property(
    of section: FetchForm.Section, in entity: ManagedEntity, _ data: ChainSource
  ) throws(CodeRefusal) -> (String, String?) {
    var span = section.span
    if span == nil, let attribute = entity.attribute(section.key) {
      switch attribute.shape.kind {
      case .date(.day): span = SectionMode.day.name
      case .bool, .date, .data:
        throw CodeRefusal(
          "the controller names sections by `\(section.key)` otherwise than the session",
          use: "diffable")
      default: return (attribute.property, nil)
      }
    }
    guard let first = section.key.steps.first,
      let attribute = entity.attribute(ObjectKeyPath([first]))
    else {
      throw CodeRefusal(
        "`\(section.key)` is not computed from an attribute of the entity", use: "diffable")
    }
    let name = entity.variable + "Section"
    if let span {
      let formats = [
        "year": "yyyy", "month": "yyyy-MM", "day": "yyyy-MM-dd", "week": "YYYY-'W'ww",
      ]
      guard !attribute.shape.isOptional, case .date = attribute.shape.kind,
        let format = formats[span]
      else {
        throw CodeRefusal(
          "rows without a date come last in the session, and first in Core Data", use: "diffable")
      }
      return (name, "Self.sectionFormatter.string(from: \(attribute.property)) // \(format)")
    }
    var expression = SwiftExpression(text: attribute.property, shape: attribute.shape)
    for step in section.key.steps.dropFirst() {
      guard case .key(let key) = step, let derived = SwiftDerivedKey(key, of: expression),
        derived.expression.shape.kind == .string
      else {
        throw CodeRefusal(
          "`\(section.key)` has no counterpart in a managed object", use: "diffable")
      }
      expression = derived.expression
    }
    return (name, expression.text)
  }

  // MARK: Text

  func text() -> String {
    var text = CodeText(step: 2)
    text.comment("\(chain.top.name): \(chain.top.summary)")
    text.add(["import CoreData", "import UIKit"])
    text.separate()
    addEntity(to: &text)
    text.separate()
    addRequest(to: &text)
    text.separate()
    FetchedResultsScreen(code: self).add(to: &text)
    return text.text
  }

  private func addEntity(to text: inout CodeText) {
    text.add("@objc(\(entity.name))")
    text.block("final class \(entity.name): NSManagedObject") { text in
      for attribute in entity.attributes {
        text.add("@NSManaged var \(attribute.property): \(attribute.swiftType)")
      }
      for attribute in entity.attributes where attribute.path.steps.count > 1 {
        text.comment("\(attribute.property) has the value of `\(attribute.path)`.")
      }
      if !entity.others.isEmpty {
        text.comment(
          "Not attributes, but relationships or transformed values: "
            + entity.others.joined(separator: ", ") + ".")
      }
      text.separate()
      text.comment("A model with the entity, for a store without a model file.", sign: "///")
      text.block("static func makeModel() -> NSManagedObjectModel") { text in
        text.add("let entity = NSEntityDescription()")
        text.add("entity.name = \"\(entity.name)\"")
        text.add("entity.managedObjectClassName = \"\(entity.name)\"")
        text.call(
          "entity.properties = [",
          entity.attributes.map { attribute in
            let optional = attribute.shape.isOptional ? ", isOptional: true" : ""
            return .text(
              "attribute(\"\(attribute.property)\", .\(attribute.attributeType)\(optional))")
          }, close: "]", trailingComma: true)
        text.add("let model = NSManagedObjectModel()")
        text.add("model.entities = [entity]")
        text.add("return model")
      }
      text.separate()
      text.block(
        """
        private static func attribute(
          _ name: String, _ type: NSAttributeType, isOptional: Bool = false
        ) -> NSAttributeDescription {
        """
      ) { text in
        text.add("let attribute = NSAttributeDescription()")
        text.add("attribute.name = name")
        text.add("attribute.attributeType = type")
        text.add("attribute.isOptional = isOptional")
        text.add("return attribute")
      }
    }
  }

  private func addRequest(to text: inout CodeText) {
    text.block("extension \(entity.name)") { text in
      text.comment(chain.top.summary, sign: "///")
      for note in form.notes { text.comment(note, sign: "///") }
      text.block("static func \(requestName)() -> NSFetchRequest<\(entity.name)>") { text in
        text.add("let request = NSFetchRequest<\(entity.name)>(entityName: \"\(entity.name)\")")
        if let format = request.format {
          text.call(
            "request.predicate = NSPredicate(",
            [.text("format: \(SwiftLiteral.string(format.format))")]
              + format.arguments.map(Self.argument))
        }
        text.call(
          "request.sortDescriptors = [", request.sort.map(Self.descriptor), close: "]",
          trailingComma: true)
        if form.offset > 0 { text.add("request.fetchOffset = \(form.offset)") }
        if let limit = form.limit { text.add("request.fetchLimit = \(limit)") }
        if let batch = form.batchSize { text.add("request.fetchBatchSize = \(batch)") }
        text.add("return request")
      }
      guard let section, let body = section.body else { return }
      text.separate()
      text.comment("The name of the section, which the controller reads by its key.", sign: "///")
      let parts = body.split(separator: " // ").map(String.init)
      text.block(
        "@objc var \(section.property): String\(parts.count > 1 ? "" : "?")"
      ) { $0.add(parts[0]) }
      guard parts.count > 1 else { return }
      text.separate()
      text.block(
        "private static let sectionFormatter: DateFormatter = {", close: "}()"
      ) { text in
        text.add("let formatter = DateFormatter()")
        text.add("formatter.calendar = Calendar(identifier: .iso8601)")
        text.add("formatter.locale = Locale(identifier: \"en_US_POSIX\")")
        text.add("formatter.timeZone = .gmt")
        text.add("formatter.dateFormat = \(SwiftLiteral.string(parts[1]))")
        text.add("return formatter")
      }
    }
  }

  /// The name of the source in the session.
  var topName: String { chain.top.name }

  var requestName: String { SwiftLiteral.identifiers.lower(chain.top.name) + "Request" }

  /// The expression of the key of the sections.
  var sectionKey: String {
    section.map { "#keyPath(\(entity.name).\($0.property))" } ?? "nil"
  }

  private static func argument(_ argument: PredicateFormat.FormatArgument) -> Argument {
    switch argument {
    case .key(let key): .text(SwiftLiteral.string(key))
    case .value(let value): bridged(value)
    }
  }

  /// A value as an object of Foundation.
  private static func bridged(_ value: Value) -> Argument {
    switch value {
    case .array(let elements):
      // Elements of several types have no common type in Swift.
      .list(
        elements.map(bridged),
        close: ValueShape(of: elements).isUniform ? "]" : "] as NSArray")
    case .date(let date): .text(SwiftRow.date(date) + " as NSDate")
    case .data: .text(SwiftRow.literal(value, ValueShape(.data)).line + " as NSData")
    case .null: "NSNull()"
    default: SwiftRow.literal(value, ValueShape(of: [value]))
    }
  }

  private static func descriptor(_ sort: CoreDataSort) -> Argument {
    var arguments: [Argument] = [
      .text("key: \(SwiftLiteral.string(sort.key))"), .text("ascending: \(sort.isAscending)"),
    ]
    if let selector = sort.selector {
      arguments.append(.text("selector: #selector(NSString.\(selector)(_:))"))
    }
    return .call("NSSortDescriptor(", arguments)
  }
}

extension ValueShape {
  /// Whether all values have one type, and none is null.
  fileprivate var isUniform: Bool {
    if case .mixed = kind { false } else { !isOptional }
  }
}
