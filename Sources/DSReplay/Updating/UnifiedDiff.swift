import DSInterpreter

/// The differences of two texts as a patch, which `patch -p0` and `git apply -p0` accept.
struct UnifiedDiff {
  /// Relative to the working folder, because both tools refuse other paths.
  private let path: String
  private let old: [ArraySlice<UInt8>]?
  private let new: [ArraySlice<UInt8>]
  private static let context = 3

  /// - Parameter old: nil for a file that does not exist yet.
  init(path: String, from old: String?, to new: String) {
    self.path = FilePath.relative(path, to: "")
    self.old = old.map(Self.lines)
    self.new = Self.lines(of: new)
  }

  /// The lines with their line ends, as bytes: strings that are canonically equivalent would be equal.
  private static func lines(of text: String) -> [ArraySlice<UInt8>] {
    let bytes = Array(text.utf8)
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      lines.append(bytes[start..<end])
      start = end
    }
    return lines
  }

  /// Empty if the texts are the same.
  var text: String {
    let hunks = hunks
    if hunks.isEmpty { return "" }
    let source = old == nil ? "/dev/null" : Self.quoted(path)
    return "--- \(source)\n+++ \(Self.quoted(path))\n" + hunks.map(text).joined()
  }

  private enum Line {
    case same(old: Int, new: Int)
    case removed(Int)
    case inserted(Int)

    var isSame: Bool { if case .same = self { true } else { false } }
  }

  /// All lines of both texts.
  private var lines: [Line] {
    let old = old ?? []
    let common = zip(old, new).prefix { $0.elementsEqual($1) }.count
    let rest = min(old.count, new.count) - common
    let commonEnd = zip(old.reversed(), new.reversed()).prefix(rest)
      .prefix { $0.elementsEqual($1) }.count
    let (oldEnd, newEnd) = (old.count - commonEnd, new.count - commonEnd)
    var lines = (0..<common).map { Line.same(old: $0, new: $0) }
    let difference = Array(new[common..<newEnd]).difference(from: Array(old[common..<oldEnd]))
    let removed = Set(difference.removals.map(Self.offset))
    let inserted = Set(difference.insertions.map(Self.offset))
    var (oldLine, newLine) = (common, common)
    while oldLine < oldEnd || newLine < newEnd {
      if removed.contains(oldLine - common), oldLine < oldEnd {
        lines.append(.removed(oldLine))
        oldLine += 1
      } else if inserted.contains(newLine - common), newLine < newEnd {
        lines.append(.inserted(newLine))
        newLine += 1
      } else {
        lines.append(.same(old: oldLine, new: newLine))
        oldLine += 1
        newLine += 1
      }
    }
    for offset in 0..<commonEnd { lines.append(.same(old: oldEnd + offset, new: newEnd + offset)) }
    return lines
  }

  private static func offset(
    of change: CollectionDifference<ArraySlice<UInt8>>.Change
  ) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  /// Runs of lines with differences and the lines around them.
  private var hunks: [ArraySlice<Line>] {
    let lines = lines
    var hunks: [Range<Int>] = []
    for index in lines.indices where !lines[index].isSame {
      let range = max(0, index - Self.context)..<min(lines.count, index + Self.context + 1)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks.map { lines[$0] }
  }

  private func text(of hunk: ArraySlice<Line>) -> String {
    var (oldLines, newLines) = ([Int](), [Int]())
    var text = ""
    for line in hunk {
      switch line {
      case .same(let old, let new):
        (oldLines, newLines) = (oldLines + [old], newLines + [new])
        text += written(" ", self.new[new])
      case .removed(let old):
        oldLines.append(old)
        text += written("-", self.old?[old] ?? [])
      case .inserted(let new):
        newLines.append(new)
        text += written("+", self.new[new])
      }
    }
    // The number of the line above an empty range, and of its first line otherwise.
    let first = (
      old: oldLines.first.map { $0 + 1 } ?? linesBefore(hunk.startIndex).old,
      new: newLines.first.map { $0 + 1 } ?? linesBefore(hunk.startIndex).new
    )
    return "@@ -\(first.old),\(oldLines.count) +\(first.new),\(newLines.count) @@\n" + text
  }

  private func linesBefore(_ index: Int) -> (old: Int, new: Int) {
    lines[..<index].reduce(into: (old: 0, new: 0)) { counts, line in
      switch line {
      case .same: counts = (counts.old + 1, counts.new + 1)
      case .removed: counts.old += 1
      case .inserted: counts.new += 1
      }
    }
  }

  private func written(_ sign: String, _ line: ArraySlice<UInt8>) -> String {
    let text = sign + String(decoding: line, as: UTF8.self)
    return line.last == UInt8(ascii: "\n") ? text : text + "\n\\ No newline at end of file\n"
  }

  /// A path as both tools read it: in quotes with escapes if it has control characters, quotes or
  /// backslashes; before a tab if it has spaces.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return path.utf8.contains(UInt8(ascii: " ")) ? path + "\t" : path }
    let escaped = path.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return "\\" + String(Unicode.Scalar(byte))
      case 0x20..<0x7F: return String(Unicode.Scalar(byte))
      default:
        let octal = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - octal.count) + octal
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
