import DSRendering
import Glibc

/// A file descriptor that may be a terminal, and its capabilities.
struct Terminal {
  let descriptor: Int32
  /// False with `--no-color`, with `NO_COLOR`, or on a terminal without color.
  let allowsColor: Bool

  init(_ descriptor: Int32, allowsColor: Bool) {
    self.descriptor = descriptor
    self.allowsColor = allowsColor && Environment["NO_COLOR"] == nil && !Self.isDumb
  }

  /// Whether the terminal cannot move its cursor.
  static var isDumb: Bool { Environment["TERM"] == nil || Environment["TERM"] == "dumb" }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Current size in cells; nil if the descriptor is not a terminal or the size is unknown.
  var size: (rows: Int, columns: Int)? {
    guard isTerminal else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Current width in cells; nil if the descriptor is not a terminal or the width is unknown.
  var width: Int? { size?.columns }

  var traits: TerminalTraits {
    let width = width
    return TerminalTraits(width: width, textWidth: width, hasColor: allowsColor && isTerminal)
  }

  /// Writes all of a text at once, also when a signal arrives; a failure cannot be reported anywhere.
  func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno != EINTR { return }
      bytes = bytes.dropFirst(max(0, written))
    }
  }
}

/// The environment of the process; an empty variable counts as unset.
enum Environment {
  static subscript(name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The folder of files that dsshell keeps between its runs: `dsshell` in `XDG_STATE_HOME`, else in
  /// `~/.local/state`; nil if neither that variable nor `HOME` is set.
  static var stateFolder: String? {
    let state = Self["XDG_STATE_HOME"] ?? Self["HOME"].map { $0 + "/.local/state" }
    return state.map { $0 + "/dsshell" }
  }
}

/// A variable of the environment that dsshell reads.
struct EnvironmentVariable {
  let name: String
  /// One clause.
  let meaning: String

  static let all = [
    EnvironmentVariable(
      name: "DSSHELL_HISTORY", meaning: "the file of the history; /dev/null keeps none"),
    EnvironmentVariable(
      name: "XDG_STATE_HOME",
      meaning: "the folder of the history and of the progress in lessons (~/.local/state)"),
    EnvironmentVariable(
      name: "XDG_CONFIG_HOME", meaning: "the folder of dsshell/config.ds (~/.config)"),
    EnvironmentVariable(
      name: "XDG_CACHE_HOME",
      meaning: "the folder of caches and of the failures of `dsshell test` (~/.cache)"),
    EnvironmentVariable(name: "NO_COLOR, TERM=dumb", meaning: "no color"),
    EnvironmentVariable(name: "TMPDIR", meaning: "the folder for temporary files (/tmp)"),
    EnvironmentVariable(
      name: "CURL_CA_BUNDLE, SSL_CERT_FILE", meaning: "a file with the trusted certificates"),
    EnvironmentVariable(
      name: "http_proxy, https_proxy, all_proxy, no_proxy",
      meaning: "the proxy for requests, as for curl"),
    EnvironmentVariable(
      name: "DSSHELL_KERNELS",
      meaning: "the level of vector instructions: avx2, sse2 or portable"),
  ]
}
