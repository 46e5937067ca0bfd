import DSInterpreter
import DataSources
import DataTables
import Glibc

/// A file beside a script with lines that are expected of a command (`#<`).
struct SideFile: Sendable {
  let path: String
  /// Of the script, where it is named.
  let line: Int
  /// What it is like; nil when it is not there.
  let stamp: FileStamp?
  let lines: [String]
  private let mark: String
  private let lineEnd: String
  private let lastLineHasEnd: Bool

  /// - Parameter told: by the command, without the ends of the lines.
  /// - Throws: ``SideFileError`` for what is there and cannot be read, or is no text.
  init(_ path: String, at line: Int, actual: [String]) throws(SideFileError) {
    self.path = path
    self.line = line
    let isThere = access(FileOverlay.readable(path), F_OK) == 0 || errno != ENOENT
    let text = isThere ? try Self.text(of: path, at: line) : ""
    var stamp = FileStamp()
    stamp.add(Array(text.utf8))
    self.stamp = isThere ? stamp : nil
    mark = text.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
    let lines = OutputCapture.lines(of: String(text.unicodeScalars.dropFirst(mark.isEmpty ? 0 : 1)))
    let ends = { (line: String) in line.utf8.last == UInt8(ascii: "\r") }
    // Where a carriage return can be one of the output, it is no part of the ends of lines.
    lastLineHasEnd = lines.isEmpty || text.utf8.last == UInt8(ascii: "\n")
    let ended = lastLineHasEnd ? lines : lines.dropLast()
    let isFromWindows = !ended.isEmpty && ended.allSatisfy(ends) && !actual.contains(where: ends)
    self.lines =
      isFromWindows
      ? ended.map { String($0.unicodeScalars.dropLast()) } + lines.dropFirst(ended.count) : lines
    lineEnd = isFromWindows ? "\r\n" : "\n"
  }

  private static func text(of path: String, at line: Int) throws(SideFileError) -> String {
    do throws(SourceError) {
      return try TextFile.read(path, cancellation: Cancellation())
    } catch {
      throw SideFileError(line: line, reason: Diagnostic(facts: error).message)
    }
  }

  /// Why it cannot say what is expected; nil when it is there.
  var problem: SideFileError? {
    stamp == nil
      ? SideFileError(
        line: line, reason: "cannot open `\(path)`: \(String(cString: strerror(ENOENT)))")
      : nil
  }

  /// The text of the file with these lines, the rest of it as it is.
  func text(with lines: [String]) -> String {
    let text = mark + lines.joined(separator: lineEnd)
    // An empty last line is none without its end.
    let needsEnd = lastLineHasEnd || lines.last == ""
    return lines.isEmpty || !needsEnd ? text : text + lineEnd
  }
}

/// Why a file beside the script cannot say what is expected.
struct SideFileError: Error {
  let line: Int
  let reason: String

  var message: String { "the expected text cannot be read: \(reason)" }
}
