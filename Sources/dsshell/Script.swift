import DataTables
import Glibc

/// The text of some commands, and where it was read from.
struct Script {
  let text: String
  /// As it was named; nil for what was typed or stood on the command line.
  var file: String?
}

/// Why a script could not be read.
enum ScriptError: Error, Equatable {
  /// With the number of the system's error.
  case unreadable(String, Int32)
  /// With the offset of the first byte that is not UTF-8.
  case notText(String, offset: Int)

  var message: String {
    switch self {
    case .unreadable(let file, let number):
      "cannot read `\(file)`: \(String(cString: strerror(number)))"
    case .notText(let file, let offset):
      "`\(file)` is not a script: byte \(offset) is not UTF-8"
    }
  }
}

extension Script {
  /// The word that stands for standard input where a script is named.
  static let standardInput = "-"

  /// Reads a script, standard input to its end: nothing of a script is run before all of it is known
  /// to parse.
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
    var piece: [UInt8] = Array(repeating: 0, count: 1 << 16)
    while true {
      guard Interrupts.waitForInput(descriptor) else { throw .unreadable(name, EINTR) }
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { break }
      if count > 0 {
        bytes += piece.prefix(count)
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
