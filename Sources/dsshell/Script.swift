import DataTables
import Glibc

/// The text of a script and its origin.
struct Script {
  let text: String
  /// The path as given; nil for typed commands and for the commands of `-c`.
  var file: String?
}

/// The reason why a script could not be read.
enum ScriptError: Error, Equatable {
  /// With the path and `errno`.
  case unreadable(String, Int32)
  /// With the path and the offset of the first byte that is not UTF-8.
  case notText(String, offset: Int)
  case tooLarge(String)

  var message: String {
    switch self {
    case .unreadable(let file, let number):
      "cannot read `\(file)`: \(String(cString: strerror(number)))"
    case .notText(let file, let offset):
      "`\(file)` is not a script: byte \(offset) is not UTF-8"
    case .tooLarge(let file): "`\(file)` is larger than 64 MiB, the limit of a script"
    }
  }
}

extension Script {
  /// The word that names standard input in place of a file.
  static let standardInput = "-"

  /// In bytes, as for scripts of tests. Standard input may never end.
  private static let maxSize = 64 << 20

  /// Reads a whole script, also from standard input: no part of a script runs before all of it has
  /// been checked.
  static func read(_ file: String) throws(ScriptError) -> Script {
    if file == standardInput {
      return Script(text: try text(STDIN_FILENO, name: "stdin"), file: "stdin")
    }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(file, errno) }
    defer { close(descriptor) }
    return Script(text: try text(descriptor, name: file), file: file)
  }

  private static func text(_ descriptor: Int32, name: String) throws(ScriptError) -> String {
    var bytes: [UInt8] = []
    var chunk: [UInt8] = Array(repeating: 0, count: 1 << 16)
    while true {
      guard Interrupts.waitForInput(descriptor) else { throw .unreadable(name, EINTR) }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      if count > 0 {
        bytes += chunk.prefix(count)
        if bytes.count > maxSize { throw .tooLarge(name) }
      } else if errno != EINTR {
        throw .unreadable(name, errno)
      }
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw .notText(name, offset: validPrefix(of: bytes))
  }

  private static func validPrefix(of bytes: [UInt8]) -> Int {
    do throws(UTF8.ValidationError) {
      return try UTF8Span(validating: bytes.span).count
    } catch {
      return error.byteOffsets.lowerBound
    }
  }
}
