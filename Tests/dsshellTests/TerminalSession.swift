import Glibc
import Testing

/// The shell in a pseudoterminal, typed into and read as a user would.
final class TerminalSession {
  private var master: Int32
  private let process: ShellProcess
  /// Output that no `expect` has consumed yet.
  private var unread: [UInt8] = []
  /// All output since the last change of the width, as the terminal shows it.
  private var screen: ScreenModel
  private var written: [UInt8] = []
  private var isEnded = false
  private var isClosed = false
  /// The maximum wait in milliseconds, so that a hanging shell fails one test rather than the whole run.
  private static let timeout: Int32 = 20_000
  /// The maximum wait for a text while the shell writes others.
  private static let patience = Duration.seconds(90)

  private static let height: UInt16 = 24

  /// - Parameter program: nil for the shell.
  init(
    program: String? = nil, _ arguments: [String] = [], environment: [String: String] = [:],
    width: UInt16 = 80
  ) throws {
    screen = ScreenModel(width: Int(width), height: Int(Self.height))
    var master: Int32 = -1
    var slave: Int32 = -1
    var size = winsize(ws_row: Self.height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.master = master
    defer { close(slave) }
    var name: [CChar] = Array(repeating: 0, count: 128)
    try #require(ttyname_r(slave, &name, name.count) == 0)
    let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    let path = String(decoding: bytes, as: UTF8.self)
    // In a new session, the first terminal that is opened becomes the controlling one.
    process = try ShellProcess(
      program: program, arguments, environment: ["TERM": "xterm"].merging(environment) { $1 },
      streams: [.file(path, flags: O_RDWR), .descriptor(0), .descriptor(0)], inNewSession: true)
  }

  /// A session at its first prompt, with its history in a folder.
  static func prompt(
    in folder: TemporaryFolder, _ arguments: [String] = [], _ environment: [String: String] = [:],
    width: UInt16 = 80
  ) throws -> TerminalSession {
    let session = try TerminalSession(
      arguments,
      environment: [
        "DSSHELL_HISTORY": folder.path + "/state/history", "HOME": folder.path, "NO_COLOR": "1",
      ].merging(environment) { $1 }, width: width)
    try session.expect("ds> ")
    return session
  }

  deinit {
    if !isEnded {
      process.send(SIGKILL)
      _ = process.wait()
    }
    if master >= 0 { close(master) }
  }

  func type(_ text: String) {
    _ = text.withCString { write(master, $0, strlen($0)) }
  }

  /// Enters a command, and waits for a text that it shows and for the next prompt.
  func run(_ command: String, shows text: String) throws {
    type(command + "\r")
    try expect(text)
    try expect("ds> ")
  }

  func send(_ signal: Int32) { process.send(signal) }

  /// The number of the process.
  var identifier: pid_t { process.identifier }

  /// Forgets all output so far, for sessions with much of it.
  func forget() {
    unread = []
    written = []
  }

  func resize(width: UInt16) {
    var size = winsize(ws_row: Self.height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    screen = shown
    written = []
    screen.resize(width: Int(width))
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  private var shown: ScreenModel {
    var shown = screen
    shown.write(String(decoding: written, as: UTF8.self))
    return shown
  }

  /// Waits until the last rows of the terminal are these.
  func waitForScreen(_ rows: String..., at location: SourceLocation = #_sourceLocation) throws {
    try wait(at: location) { $0.lines.suffix(rows.count) == rows }
  }

  /// Waits until the last line of the terminal is this one, over as many rows as it needs.
  func waitForLine(_ line: String, at location: SourceLocation = #_sourceLocation) throws {
    try wait(at: location) { $0.lastLine == line }
  }

  private func wait(at location: SourceLocation, until isDone: (ScreenModel) -> Bool) throws {
    while !isDone(shown) {
      try #require(read(), "the terminal shows \(shown.lines)", sourceLocation: location)
    }
    unread = []
  }

  /// Waits for `text` in the output and consumes the output up to its end.
  /// - Returns: the output before `text`.
  @discardableResult
  func expect(_ text: String, at location: SourceLocation = #_sourceLocation) throws -> String {
    let wanted = Array(text.utf8)
    let end = ContinuousClock.now + Self.patience
    while true {
      try #require(
        ContinuousClock.now < end, "\(text.debugDescription) did not appear, but \(unreadText)",
        sourceLocation: location)
      if let start = position(of: wanted) {
        let before = String(decoding: unread[..<start], as: UTF8.self)
        unread.removeFirst(start + wanted.count)
        return before
      }
      try #require(
        read(), "\(text.debugDescription) did not appear, but \(unreadText)",
        sourceLocation: location)
    }
  }

  /// Waits for a text in the output, for the end of the process, or for ten seconds without output.
  /// - Returns: whether the text appeared.
  @discardableResult
  func shows(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    while position(of: wanted) == nil { guard read(timeout: 10_000) else { return false } }
    return true
  }

  /// Waits until the terminal is closed.
  /// - Returns: the exit status and the unread output.
  func end(at location: SourceLocation = #_sourceLocation) throws -> (status: Int32, rest: String) {
    while read() {}
    try #require(isClosed, "the shell did not end, after \(unreadText)", sourceLocation: location)
    isEnded = true
    return (process.wait(), String(decoding: unread, as: UTF8.self))
  }

  /// Closes the terminal, as a lost connection does, and waits for the end of the process.
  func hangUp() -> Int32 {
    close(master)
    master = -1
    isEnded = true
    return process.wait()
  }

  private var unreadText: String { String(decoding: unread, as: UTF8.self).debugDescription }

  // With functions of C: a debug build searches arrays a hundred times slower.
  private func position(of wanted: [UInt8]) -> Int? {
    guard let first = wanted.first else { return 0 }
    return unread.withUnsafeBytes { bytes -> Int? in
      guard let start = bytes.baseAddress else { return nil }
      var position = 0
      while bytes.count - position >= wanted.count,
        let found = memchr(start + position, Int32(first), bytes.count - position)
      {
        position = start.distance(to: found)
        guard bytes.count - position >= wanted.count else { return nil }
        if memcmp(found, wanted, wanted.count) == 0 { return position }
        position += 1
      }
      return nil
    }
  }

  /// Removes the sequences that turn the marks around pastes on and off; they are invisible.
  private func remove(_ mark: String) {
    while let start = position(of: Array(mark.utf8)) {
      unread.removeSubrange(start..<start + mark.utf8.count)
    }
  }

  /// - Parameter timeout: in milliseconds.
  /// - Returns: false at the end of the output.
  private func read(timeout: Int32 = TerminalSession.timeout) -> Bool {
    var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, timeout) > 0 else { return false }
    var chunk: [UInt8] = Array(repeating: 0, count: 4096)
    let count = Glibc.read(master, &chunk, chunk.count)
    isClosed = count <= 0
    guard count > 0 else { return false }
    unread += chunk.prefix(count)
    written += chunk.prefix(count)
    for mark in ["\u{1B}[?2004h", "\u{1B}[?2004l"] { remove(mark) }
    return true
  }
}
