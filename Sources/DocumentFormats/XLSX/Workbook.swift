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
    let roots = try package.relationships(of: "")
    let part = Self.target(of: "officeDocument", in: roots) ?? "xl/workbook.xml"
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
    if let part = Self.target(of: "styles", in: targets), package.contains(part) {
      try styles.read(part, of: package)
    }
    if let part = Self.target(of: "sharedStrings", in: targets), package.contains(part) {
      strings = try SharedStrings.read(part, of: package)
    }
  }

  /// The part with a type; of several, always the same.
  private static func target(
    of type: String, in relationships: [String: (type: String, target: String)]
  ) -> String? {
    relationships.values.lazy.filter { $0.type == type }.map(\.target).min()
  }

  static func isTrue(_ attribute: String?) -> Bool { attribute == "1" || attribute == "true" }
}
