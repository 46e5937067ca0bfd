import DSRendering
import Glibc

/// What stands behind a file descriptor: a terminal of some width, or something else.
struct Terminal {
  let descriptor: Int32
  /// Whether colour is allowed at all: no `--no-color`, no `NO_COLOR`, no terminal that lacks it.
  let allowsColor: Bool

  init(_ descriptor: Int32, allowsColor: Bool) {
    self.descriptor = descriptor
    self.allowsColor = allowsColor && Environment["NO_COLOR"] == nil && !Self.isDumb
  }

  /// A terminal that cannot move its cursor.
  static var isDumb: Bool { Environment["TERM"] == nil || Environment["TERM"] == "dumb" }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// In cells, as it is now; nil when it is not a terminal or does not know.
  var width: Int? {
    guard isTerminal else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  var traits: TerminalTraits {
    TerminalTraits(width: width, hasColor: allowsColor && isTerminal)
  }
}

/// The process's environment; an empty variable counts as none.
enum Environment {
  static subscript(name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
