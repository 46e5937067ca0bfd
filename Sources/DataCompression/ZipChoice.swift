import DataTables

/// The member of a zip archive that is read: the named one, the only one, or the only table.
struct ZipChoice {
  let member: ZipMember
  /// Names the other members, if there are any.
  let notes: [String]

  /// The number of members that an error or note lists.
  private static let maxListed = 20

  /// - Throws: `TableError.badArgument` if the name is unknown, or if there are several tables.
  init(among members: [ZipMember], for input: CompressedInput) throws(TableError) {
    let files = members.filter { !$0.isFolder && !Self.isSystemFile($0.name) }
    if let name = input.member {
      member = try Self.named(name, among: files, in: input.name)
      notes = []
      return
    }
    guard let first = files.first else {
      throw .format("the zip archive `\(input.name)` has no files", at: nil)
    }
    if files.count == 1 {
      member = first
      notes = []
      return
    }
    let documents = files.filter { !Self.isAboutOthers($0.name) }
    let tables = documents.filter { input.isTableName($0.name) }
    guard let table = tables.first ?? documents.first, tables.count == 1 || documents.count == 1
    else {
      throw .badArgument(
        "`\(input.name)` has several files; add "
          + Self.options(tables.isEmpty ? files : tables, total: files.count))
    }
    member = table
    let others = files.filter { $0.offset != table.offset }
    notes = [
      "read the member `\(table.name)`; other members: " + Self.list(others, total: others.count)
    ]
  }

  /// The member with a name; the last component of the path suffices if it is unique.
  private static func named(
    _ name: String, among files: [ZipMember], in archive: String
  ) throws(TableError) -> ZipMember {
    // The last one of members with the same name is the newest.
    if let member = files.last(where: { $0.name == name }) { return member }
    let matches = files.filter { $0.name.hasSuffix("/" + name) }
    if matches.count == 1 { return matches[0] }
    guard matches.isEmpty else {
      throw .badArgument(
        "`\(archive)` has several files named `\(name)`; use "
          + options(matches, total: matches.count))
    }
    throw .badArgument(
      "`\(archive)` has no file named `\(name)`; it has "
        + options(files, total: files.count))
  }

  /// The options that choose members.
  private static func options(_ files: [ZipMember], total: Int) -> String {
    let options = files.prefix(maxListed).map { "`member: \(Value.string($0.name).json)`" }
    return options.joined(separator: " or ") + rest(of: total, listed: options.count)
  }

  private static func list(_ files: [ZipMember], total: Int) -> String {
    let names = files.prefix(maxListed).map { "`\($0.name)`" }
    return names.joined(separator: ", ") + rest(of: total, listed: names.count)
  }

  private static func rest(of total: Int, listed: Int) -> String {
    switch total - listed {
    case ...0: ""
    case 1: " (1 file is not listed)"
    case let rest: " (\(rest) files are not listed)"
    }
  }

  /// Whether programs add a file that does not belong to the content.
  private static func isSystemFile(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return parts.contains("__MACOSX") || parts.last == ".DS_Store" || parts.last == "Thumbs.db"
      || parts.last == "desktop.ini"
  }

  /// Whether a file describes the others.
  private static func isAboutOthers(_ path: String) -> Bool {
    let name = path.split(separator: "/").last?.lowercased() ?? ""
    return ["readme", "license", "licence", "copying", "notice", "changelog", "manifest"].contains {
      name == $0 || name.hasPrefix($0 + ".") || name.hasPrefix($0 + "_")
        || name.hasPrefix($0 + "-")
    }
  }
}
