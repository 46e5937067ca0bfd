import DataTables

/// Sort descriptors as the comparators of Foundation.
enum SwiftOrder {
  /// - Parameter row: gets the properties that are compared.
  static func comparators(
    _ descriptor: SortDescriptor, of row: inout SwiftRow
  ) throws(CodeRefusal) -> [Argument] {
    let property = try row.property(for: descriptor.keyPath)
    let path = "\\\(row.type).\(property.text)"
    let isReversed = descriptor.direction == .descending
    func comparator(_ path: String, _ comparator: String? = nil) -> Argument {
      var arguments: [Argument] = [.text(path)]
      if let comparator { arguments.append(.text("comparator: \(comparator)")) }
      if isReversed { arguments.append("order: .reverse") }
      return .call("KeyPathComparator(", arguments)
    }
    var result: [Argument] = []
    if let nulls = descriptor.nulls, property.shape.isOptional,
      (nulls == .first) == isReversed
    {
      let name = row.add(
        property.text + "IsMissing", type: "Int",
        body: "\(property.text) == nil ? \(nulls == .first ? "0 : 1" : "1 : 0")",
        shape: ValueShape(.integer), for: ObjectKeyPath(key: "\(property.text) is missing"))
      result.append(.text("KeyPathComparator(\\\(row.type).\(name))"))
    }
    if !descriptor.list.isEmpty {
      let values = descriptor.list.map { SwiftRow.literal($0, property.shape.required).line }
      let list = values.joined(separator: ", ")
      let name = row.add(
        property.text + "Place", type: "Int",
        body: property.shape.isOptional
          ? "\(property.text).map { [\(list)].firstIndex(of: $0) ?? \(values.count) } ?? -1"
          : "[\(list)].firstIndex(of: \(property.text)) ?? \(values.count)",
        shape: ValueShape(.integer), for: ObjectKeyPath(key: "place of \(property.text)"))
      result.append(comparator("\\\(row.type).\(name)"))
    }
    switch (descriptor.comparison, property.shape.kind) {
    case (.compare, .integer), (.compare, .double), (.compare, .decimal), (.compare, .date):
      result.append(comparator(path))
    // Without a comparator, Apple's systems compare strings as `.localizedStandard`, which does not
    // keep the rows of a section together.
    case (.compare, .string):
      result.append(comparator(path, "ComparableComparator<String>()"))
    case (.compare, _):
      throw CodeRefusal(
        "the values of `\(descriptor.keyPath)` have no order in Swift", use: "library")
    case (.localizedStandard, .string): result.append(comparator(path, ".localizedStandard"))
    case (.localized, .string): result.append(comparator(path, ".localized"))
    // Without a locale, the comparator would use that of the user.
    case (.caseInsensitive, .string):
      result.append(
        comparator(path, "String.Comparator(options: .caseInsensitive, locale: nil)"))
    case (.numeric, .string):
      result.append(comparator(path, "String.Comparator(options: .numeric, locale: nil)"))
    case (.localizedCaseInsensitive, .string):
      result.append(comparator(path, "String.Comparator(options: .caseInsensitive)"))
    default: result.append(comparator(path))
    }
    return result
  }
}
