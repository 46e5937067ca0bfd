package import DataTables
import Glibc

/// A pattern of file paths: `*`, `?` and `[a-z]` match within a name, `**` any number of folders.
///
/// Names that begin with a dot match only a pattern that begins with one. Folders that are symbolic
/// links are not followed by `**`.
package struct FilePattern: Sendable {
  private let text: String
  private let parts: [Substring]

  /// Limits the memory of a pattern that matches a whole disk.
  private static let maxMatches = 200_000

  /// nil for a path without characters of a pattern.
  package init?(_ text: String) {
    guard text.contains(where: { "*?[".contains($0) }) else { return nil }
    self.text = text
    var parts = text.split(separator: "/")
    // Any number of folders, and any file in them.
    if parts.last == "**" { parts.append("*") }
    self.parts = parts
  }

  /// The pattern that matches only a path with these characters.
  static func escaped(_ path: String) -> String {
    path.reduce(into: "") { $0 += "*?[".contains($1) ? "[\($1)]" : String($1) }
  }

  /// The deepest folder before the first name with characters of a pattern; "" for the working
  /// folder.
  package var folder: String {
    let plain = parts.prefix { FilePattern(String($0)) == nil }
    return (text.hasPrefix("/") ? "/" : "") + plain.joined(separator: "/")
  }

  /// The files that match a pattern, and the folders in which others can appear.
  struct Matches {
    /// Regular files, and links to them. Pipes and devices do not match, because they may not end.
    var files: [String] = []
    /// The matching names that are symbolic links, also to nothing.
    var links: [String] = []
    /// The matching names that are not UTF-8.
    var unnamed: [String] = []
    /// The folders in which a file, or a folder on the way to one, can match.
    var folders: [String] = []
    /// The folders that cannot be read, and the error of the first one.
    var unreadable: [String] = []
    var failure: TableError?

    fileprivate mutating func add(_ path: String, _ entry: FolderEntry) {
      switch entry.kind {
      case .file: files.append(path)
      case .unnamed: unnamed.append(path)
      case .folder, .other: break
      }
      if entry.isLink { links.append(path) }
    }
  }

  /// The files that match, sorted by their bytes.
  ///
  /// - Throws: `TableError`: `io` for a folder that cannot be read and for a name that is not UTF-8;
  ///   `limit` for too many files, `cancelled`.
  package func files(cancellation: Cancellation) throws(TableError) -> [String] {
    let matches = try matches(cancellation: cancellation)
    if let path = matches.unnamed.min() { throw FolderEntry.nameError(path) }
    if let failure = matches.failure { throw failure }
    return matches.files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The folders in which files that match can appear, also one of a folder that appears.
  /// - Throws: `TableError`: `limit` for too many files, `cancelled`.
  package func folders(cancellation: Cancellation) throws(TableError) -> [String] {
    try matches(cancellation: cancellation).folders
  }

  /// - Throws: `TableError`: `limit` for too many files, `cancelled`.
  func matches(cancellation: Cancellation) throws(TableError) -> Matches {
    let plain = parts.dropLast().prefix { FilePattern(String($0)) == nil }.count
    var matches = Matches()
    var open = [Place(folder: text.hasPrefix("/") ? "/" : "", part: 0)]
    var visited: Set<Place> = []
    var folders: Set<String> = []
    while let place = open.popLast() {
      try cancellation.check()
      // Several `**` lead to the same folder in many ways.
      guard visited.insert(place).inserted else { continue }
      // A folder is visited with `**`, and again with the part after it.
      if place.part >= plain, parts[place.part] != "**", folders.insert(place.folder).inserted {
        matches.folders.append(place.path)
      }
      visit(place, &open, &matches)
      guard matches.files.count <= Self.maxMatches else {
        throw .limit(
          "`\(text)` matches more than \(Self.maxMatches) files", setting: "", at: nil)
      }
    }
    return matches
  }

  /// Adds the files that match in a folder, or the places to visit after it.
  private func visit(_ place: Place, _ open: inout [Place], _ matches: inout Matches) {
    let (folder, part) = (place.folder, parts[place.part])
    let isLast = place.part == parts.count - 1
    func entries() -> [FolderEntry] {
      do throws(TableError) {
        return try Folder.entries(in: place.path)
      } catch {
        // A folder is also visited for several parts.
        if !matches.unreadable.contains(place.path) { matches.unreadable.append(place.path) }
        matches.failure = matches.failure ?? error
        return []
      }
    }
    func enter(_ name: some StringProtocol, part: Int) {
      open.append(Place(folder: folder + name + "/", part: part))
    }
    if part == "**" {
      open.append(Place(folder: folder, part: place.part + 1))
      for entry in entries()
      where entry.kind == .folder && !entry.isLink && !entry.name.hasPrefix(".") {
        enter(entry.name, part: place.part)
      }
    } else if FilePattern(String(part)) == nil {
      if !isLast {
        enter(part, part: place.part + 1)
      } else {
        matches.add(folder + part, FolderEntry(at: folder + part))
      }
    } else {
      let pattern = NamePattern(part)
      for entry in entries()
      where (entry.kind == .folder) != isLast && pattern.matches(entry.name[...]) {
        if isLast {
          matches.add(folder + entry.name, entry)
        } else {
          enter(entry.name, part: place.part + 1)
        }
      }
    }
  }

  /// A folder whose contents are compared with a part of the pattern.
  private struct Place: Hashable {
    /// "" for the working folder; else with a trailing `/`.
    let folder: String
    let part: Int

    var path: String { folder == "/" || folder.isEmpty ? folder : String(folder.dropLast()) }
  }
}

/// A pattern of one name.
struct NamePattern {
  private enum Token {
    case any
    case one
    case scalar(Unicode.Scalar)
    /// The scalars in some ranges, or all others.
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }
  private let tokens: [Token]
  private let matchesHidden: Bool

  init(_ text: Substring) {
    matchesHidden = text.hasPrefix(".")
    let scalars = Array(text.unicodeScalars)
    var tokens: [Token] = []
    var position = 0
    while position < scalars.count {
      let scalar = scalars[position]
      position += 1
      switch scalar {
      case "*": tokens.append(.any)
      case "?": tokens.append(.one)
      case "[":
        if let (set, end) = Self.set(in: scalars, from: position) {
          tokens.append(set)
          position = end
        } else {
          tokens.append(.scalar(scalar))
        }
      default: tokens.append(.scalar(scalar))
      }
    }
    self.tokens = tokens
  }

  /// The set after `[`, and the position after its `]`; nil if it is not closed. A `]` at the start
  /// is a member.
  private static func set(
    in scalars: [Unicode.Scalar], from start: Int
  ) -> (set: Token, end: Int)? {
    var position = start
    let isNegated =
      position < scalars.count && (scalars[position] == "!" || scalars[position] == "^")
    if isNegated { position += 1 }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    let first = position
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar == "]", position > first {
        return (.set(ranges, isNegated: isNegated), position + 1)
      }
      if position + 2 < scalars.count, scalars[position + 1] == "-", scalars[position + 2] != "]" {
        let end = scalars[position + 2]
        if scalar <= end { ranges.append(scalar...end) }
        position += 3
      } else {
        ranges.append(scalar...scalar)
        position += 1
      }
    }
    return nil
  }

  /// - Complexity: O(pattern · name).
  func matches(_ name: Substring) -> Bool {
    guard matchesHidden || !name.hasPrefix(".") else { return false }
    let scalars = Array(name.unicodeScalars)
    var (token, position) = (0, 0)
    // The latest `*`, and the position up to which it matches.
    var retry: (token: Int, position: Int)?
    while position < scalars.count {
      if token < tokens.count {
        if case .any = tokens[token] {
          token += 1
          retry = (token, position)
          continue
        }
        if Self.matches(tokens[token], scalars[position]) {
          token += 1
          position += 1
          continue
        }
      }
      guard let last = retry else { return false }
      retry = (last.token, last.position + 1)
      (token, position) = (last.token, last.position + 1)
    }
    return tokens[token...].allSatisfy { if case .any = $0 { true } else { false } }
  }

  private static func matches(_ token: Token, _ scalar: Unicode.Scalar) -> Bool {
    switch token {
    case .any, .one: true
    case .scalar(let expected): scalar == expected
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }
}
