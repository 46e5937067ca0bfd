import DataTables

/// Reads one page of 1,000 records at a key path from memory, repeatedly: the cost of a fetch of many
/// pages without its requests.
func measurePages() throws {
  let page = MemoryBytes(Array(PageServer.page(50).utf8))
  var options = ReadOptions()
  options.format = "json"
  options.keyPath = ObjectKeyPath(key: "items")
  var request = ReadRequest(options: options)
  request.extraValues = [ObjectKeyPath(key: "page"), ObjectKeyPath(key: "number_of_pages")]
  request.reportsColumns = false
  try time("100 pages of \(page.count / 1000) kB", runs: 21) {
    for _ in 0..<PageServer.pages {
      let loaded = try FormatTable.core.read(page, named: "pages", request: request)
      guard loaded.table.count == PageServer.recordsOfPage else { throw WrongCount(found: 0) }
    }
  }
}
