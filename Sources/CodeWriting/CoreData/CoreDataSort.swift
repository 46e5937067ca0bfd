import DataTables

/// Sort descriptors as Core Data sorts.
struct CoreDataSort {
  let key: String
  let isAscending: Bool
  /// The selector of `NSString`; nil for the order of the values.
  let selector: String?

  /// - Throws: ``CodeRefusal`` for an order that a store does not have.
  init(_ descriptor: SortDescriptor, of entity: ManagedEntity) throws(CodeRefusal) {
    guard let attribute = entity.attribute(descriptor.keyPath) else {
      throw CodeRefusal(
        "Core Data sorts by attributes, not by `\(descriptor.keyPath)`", use: "diffable")
    }
    let isReversed = descriptor.direction == .descending
    if let nulls = descriptor.nulls, attribute.shape.isOptional, (nulls == .first) == isReversed {
      throw CodeRefusal(
        "Core Data sorts nil before all values, and `nulls: \(nulls.rawValue)` does not",
        use: "diffable")
    }
    guard descriptor.list.isEmpty, descriptor.comparison != .numeric else {
      throw CodeRefusal("Core Data has no order like `\(descriptor)`", use: "diffable")
    }
    key = attribute.property
    isAscending = !isReversed
    let isString = attribute.shape.kind == .string
    selector =
      switch descriptor.comparison {
      case _ where !isString: nil
      case .compare, .numeric: nil
      case .caseInsensitive: "caseInsensitiveCompare"
      case .localized: "localizedCompare"
      case .localizedCaseInsensitive: "localizedCaseInsensitiveCompare"
      case .localizedStandard: "localizedStandardCompare"
      }
  }
}
