import DataSources
import DataTables

/// The part of a request that the engine computes, and the rest.
struct TranslatedRequest {
  /// The rows that the engine selects and sorts.
  var selection: RowSelection
  /// The part that remains; nil if the engine computes all of it, except for the sections.
  var rest: ContentRequest?
  var reasons: [String] = []
}

/// Translates the objects and the order of a request; the sections are found afterwards.
struct RequestTranslation {
  let table: DatabaseTable

  init(_ table: DatabaseTable) { self.table = table }

  /// - Parameter selection: the rows that the request selects from, in their order.
  func translate(_ request: ContentRequest, over selection: RowSelection) -> TranslatedRequest {
    var selects = request.predicate != nil || request.distinct != nil
    if case .split = request.sections { selects = true }
    if request.isLimited || !request.sort.isEmpty { selects = true }
    var result = TranslatedRequest(selection: selects ? selection.nested(table) : selection)
    var rest = request
    if let predicate = request.predicate {
      let parts = PredicateTranslation(table).parts(of: predicate)
      result.selection.conditions += parts.conditions
      rest.predicate = parts.rest
      if parts.rest != nil {
        result.rest = rest
        result.reasons = parts.reasons
        return result
      }
    }
    do throws(Shortcoming) {
      if let keys = request.distinct {
        result.selection.conditions.append(try firstOfEach(keys, in: result.selection))
        rest.distinct = nil
      }
      if !request.sort.isEmpty {
        var terms: [OrderTerm] = []
        for descriptor in request.sort { terms.append(try term(descriptor)) }
        result.selection = result.selection.sorted(by: terms)
        rest.sort = []
      }
    } catch {
      result.rest = rest
      result.reasons = [error.description]
      return result
    }
    result.selection.offset = request.offset
    result.selection.limit = request.limit
    return result
  }

  /// The term of a sort descriptor.
  func term(_ descriptor: SortDescriptor) throws(Shortcoming) -> OrderTerm {
    let column = try table.expression(of: descriptor.keyPath)
    guard descriptor.list.isEmpty else {
      throw Shortcoming("`\(descriptor)` orders by a list")
    }
    return OrderTerm(try table.dialect.orderKey(column, descriptor), descriptor)
  }

  /// The condition that keeps the first row of each combination of values.
  private func firstOfEach(
    _ keys: [ObjectKeyPath], in selection: RowSelection
  ) throws(Shortcoming) -> SQL {
    guard selection.requestedOrder.isEmpty, selection.isUnique, selection.identity.count == 1,
      let identity = selection.identity.first
    else { throw Shortcoming("the first of equal rows depends on the order of the rows") }
    var groups: [SQL] = []
    let paths = keys.isEmpty ? table.keys.map { ObjectKeyPath(key: $0) } : keys
    for path in paths {
      let column = try table.expression(of: path)
      try column.checkEquality()
      groups.append(column.sql)
    }
    return """
      \(identity.sql) IN (SELECT \(table.dialect.least(identity.sql, of: table.schema))\(selection.rows()) \
      GROUP BY \(groups.joined(separator: ", ")))
      """
  }
}

extension ColumnExpression {
  /// - Throws: ``Shortcoming`` if the engine may not find values equal that the shell does.
  func checkEquality() throws(Shortcoming) {
    guard let types = facts.types else {
      throw Shortcoming("the types of the values of \(sql.shown) are not known")
    }
    if types.contains(.string), !facts.isNormalized {
      throw Shortcoming("\(sql.shown) has text that is not in composed form")
    }
    guard types.isSubset(of: [.string]) || facts.isOrdered else {
      throw Shortcoming("the engine does not compare the values of \(sql.shown) by value")
    }
  }
}
