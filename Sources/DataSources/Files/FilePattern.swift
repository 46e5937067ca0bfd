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
  private static let maxFolders = 10_000

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

  /// The folders in which a file can match, or a folder on the way to one.
  package var folders: [String] {
    let plain = parts.dropLast().prefix { FilePattern(String($0)) == nil }.count
    var folders = [folder]
    var level = [folder]
    // The folders below are few unless a pattern spans a whole disk.
    for part in parts.dropFirst(plain).dropLast() {
      var next: [String] = []
      var open = level
      while let folder = open.popLast(), folders.count + next.count < Self.maxFolders {
        let start = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
        for name in Folder.allNames(in: folder.isEmpty ? "." : folder) where name.hasSuffix("/") {
          let name = name.dropLast()
          guard part == "**" ? !name.hasPrefix(".") : NamePattern(part).matches(name) else {
            continue
          }
          let path = start + name
          guard part != "**" || !Folder.isLink(path) else { continue }
          next.append(path)
          if part == "**" { open.append(path) }
        }
      }
      folders += next
      level = part == "**" ? level + next : next
    }
    var known: Set<String> = []
    return folders.filter { known.insert($0).inserted }
  }

  /// The paths of the files that match, sorted.
  ///
  /// - Throws: `TableError`, `limit` for too many files, `cancelled`.
  package func paths(cancellation: Cancellation) throws(TableError) -> [String] {
    var found: Set<String> = []
    var open = [(folder: text.hasPrefix("/") ? "/" : "", part: 0)]
    var visited: Set<Place> = []
    while let (folder, index) = open.popLast() {
      try cancellation.check()
      // Several `**` lead to the same folder in many ways.
      guard visited.insert(Place(folder: folder, part: index)).inserted else { continue }
      let part = parts[index]
      let isLast = index == parts.count - 1
      if part == "**" {
        open.append((folder, index + 1))
        for name in Folder.allNames(in: folder) where name.hasSuffix("/") && !name.hasPrefix(".") {
          let path = folder + name
          if !Folder.isLink(String(path.dropLast())) { open.append((path, index)) }
        }
      } else if FilePattern(String(part)) == nil {
        let path = folder + part
        if !isLast {
          open.append((path + "/", index + 1))
        } else if Folder.isFile(path) {
          found.insert(path)
        }
      } else {
        let pattern = NamePattern(part)
        for name in Folder.allNames(in: folder) {
          let isFolder = name.hasSuffix("/")
          guard isFolder != isLast, pattern.matches(isFolder ? name.dropLast() : name[...]) else {
            continue
          }
          if isLast { found.insert(folder + name) } else { open.append((folder + name, index + 1)) }
        }
      }
      guard found.count <= Self.maxMatches else {
        throw .limit(
          "`\(text)` matches more than \(Self.maxMatches) files", setting: "", at: nil)
      }
    }
    return try Folder.regularFiles(found.sorted())
  }

  private struct Place: Hashable {
    let folder: String
    let part: Int
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
