import DSInterpreter
import DataSources
import DataTables
import Glibc

/// A file with expected lines of a command (`#<`), in the folder of the script.
struct SideFile: Sendable {
  let path: String
  /// The line of the script that names the file.
  let line: Int
  /// The stamp of the file; nil if it does not exist.
  let stamp: FileDigest?
  let lines: [String]
  private let byteOrderMark: String
  private let lineEnd: String
  private let lastLineHasEnd: Bool

  /// - Parameter actual: the lines of output of the command, without line ends.
  /// - Throws: ``SideFileError`` if the file exists but cannot be read or is not UTF-8.
  init(_ path: String, at line: Int, actual: [String]) throws(SideFileError) {
    self.path = path
    self.line = line
    let read = FileOverlay.$areExpectations.withValue(true) {
      () -> Result<String?, SideFileError> in
      guard access(FileOverlay.readable(path), F_OK) == 0 || errno != ENOENT else {
        return .success(nil)
      }
      return Self.text(of: path, at: line).map { $0 }
    }
    let found = try read.get()
    let (exists, text) = (found != nil, found ?? "")
    var stamp = FileDigest()
    stamp.add(Array(text.utf8))
    self.stamp = exists ? stamp : nil
    byteOrderMark = text.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
    let lines = OutputCapture.lines(
      of: String(text.unicodeScalars.dropFirst(byteOrderMark.isEmpty ? 0 : 1)))
    let endsInReturn = { (line: String) in line.utf8.last == UInt8(ascii: "\r") }
    lastLineHasEnd = lines.isEmpty || text.utf8.last == UInt8(ascii: "\n")
    let ended = lastLineHasEnd ? lines : lines.dropLast()
    // If lines of the output end in carriage returns, carriage returns in the file belong to the
    // lines, not to the line ends.
    let hasCRLF =
      !ended.isEmpty && ended.allSatisfy(endsInReturn) && !actual.contains(where: endsInReturn)
    self.lines =
      hasCRLF
      ? ended.map { String($0.unicodeScalars.dropLast()) } + lines.dropFirst(ended.count) : lines
    lineEnd = hasCRLF ? "\r\n" : "\n"
  }

  private static func text(of path: String, at line: Int) -> Result<String, SideFileError> {
    do throws(TableError) {
      // Reading a pipe might not end.
      try RegularFile.check(FileOverlay.readable(path), named: path)
    } catch {
      return .failure(SideFileError(line: line, reason: error.message))
    }
    do throws(SourceError) {
      return .success(try TextFile.read(path, cancellation: Cancellation()))
    } catch {
      return .failure(SideFileError(line: line, reason: Diagnostic(facts: error).message))
    }
  }

  /// The error for a file that does not exist; nil if it exists.
  var problem: SideFileError? {
    stamp == nil
      ? SideFileError(
        line: line, reason: "cannot open `\(path)`: \(String(cString: strerror(ENOENT)))")
      : nil
  }

  /// The text of the file with `lines` in place of its lines. The byte order mark and the line ends
  /// stay the same.
  func text(with lines: [String]) -> String {
    let text = byteOrderMark + lines.joined(separator: lineEnd)
    // An empty last line needs its line end.
    let needsEnd = lastLineHasEnd || lines.last == ""
    return lines.isEmpty || !needsEnd ? text : text + lineEnd
  }
}

/// The reason why a side file cannot be used.
struct SideFileError: Error {
  let line: Int
  let reason: String

  var message: String { "the expected lines cannot be read: \(reason)" }
}
