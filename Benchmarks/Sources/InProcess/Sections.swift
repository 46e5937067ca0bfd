import DataTables

/// Times the modes that group rows across the whole order. The column of `key` is decoded first.
func measureSections(of table: any Table, key: ObjectKeyPath) throws {
  let first = try ObjectKeyPath(parsing: "\(key).firstCharacter")
  _ = try table.column(first, cancellation: Cancellation())
  var settings = SectionSettings()
  settings.titles = try SectionSettings.titles(ofRange: "A...Z") ?? []
  try measure(.groups, of: table, key: first, settings)
  try measure(.fixed, of: table, key: first, settings)
  // With its default order by `localizedStandard`.
  try measure(.collated, of: table, key: key, settings)
}

private func measure(
  _ mode: SectionMode, of table: any Table, key: ObjectKeyPath, _ settings: SectionSettings
) throws {
  let cut = try time("\(mode.name) by \(key)") {
    let order = try table.sorted(.natural(table.count), by: mode.sort(by: key, settings))
    return try mode.split(KeyedRows(table, key: key, order: order), settings)
  }
  print("\(cut.sections.count) sections")
}
