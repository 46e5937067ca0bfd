import DataTables

/// The sheets of a workbook, and what their cells refer to.
struct Workbook {
  struct Sheet {
    let name: String
    /// The part with the cells.
    let part: String
    let isHidden: Bool
  }

  let package: WorkbookPackage
  /// The sheets with cells, in the order of their tabs.
  private(set) var sheets: [Sheet] = []
  private(set) var styles = CellStyles()
  private(set) var strings: [String] = []

  /// Reads everything but the sheets.
  /// - Throws: ``TableError``.
  init(_ input: FormatInput) throws {
    package = try WorkbookPackage(input)
    let roots = try package.relationships(of: "").values
    let part = roots.first { $0.type == "officeDocument" }?.target ?? "xl/workbook.xml"
    guard !part.hasSuffix(".bin") else {
      throw TableError.format(
        "the file is a binary workbook, which cannot be read; save it as .xlsx", at: nil)
    }
    guard package.contains(part) else {
      throw TableError.format("the file is not a workbook: it has no part `\(part)`", at: nil)
    }
    let targets = try package.relationships(of: part)
    try package.forEachElement(of: part) { path, attributes in
      // Extensions have elements with the same names.
      switch path {
      case ["workbook", "workbookPr"]:
        styles.has1904Dates = Self.isTrue(attributes["date1904"])
      case ["workbook", "sheets", "sheet"]:
        // The prefix of the attribute can be any.
        let id = attributes.first { WorkbookPackage.localName($0.key) == "id" }?.value
        guard let name = attributes["name"], let target = id.flatMap({ targets[$0] }),
          target.type == "worksheet"
        else { return }
        let state = attributes["state"]
        sheets.append(
          Sheet(
            name: name, part: target.target, isHidden: state == "hidden" || state == "veryHidden"))
      default: break
      }
    }
    let others = targets.values
    if let styles = others.first(where: { $0.type == "styles" }), package.contains(styles.target) {
      try self.styles.read(styles.target, of: package)
    }
    if let strings = others.first(where: { $0.type == "sharedStrings" }),
      package.contains(strings.target)
    {
      self.strings = try SharedStrings.read(strings.target, of: package)
    }
  }

  static func isTrue(_ attribute: String?) -> Bool { attribute == "1" || attribute == "true" }
}
