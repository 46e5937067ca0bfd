import DataTables

/// An entity of Core Data with the predicate and the sort descriptors of its fetch request.
struct FetchedEntity {
  let form: FetchForm
  let entity: ManagedEntity
  /// nil without predicates.
  let format: PredicateFormat?
  let sort: [CoreDataSort]

  /// - Throws: ``CodeRefusal`` for a chain that is not a fetch request.
  init(_ chain: SourceChain) throws(CodeRefusal) {
    form = try FetchForm(chain)
    let entity = try ManagedEntity(form.data, reading: form.keyPaths)
    self.entity = entity
    format =
      form.predicates.isEmpty
      ? nil : try PredicateFormat(form.predicates) { entity.property($0) }
    var sort: [CoreDataSort] = []
    for descriptor in form.sort { sort.append(try CoreDataSort(descriptor, of: entity)) }
    self.sort = sort
  }
}
