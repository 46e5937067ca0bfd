import DataTables
import Glibc
import Synchronization

/// Signals as the shell sees them: Ctrl-C is a flag that commands look at, as are those that end tests,
/// and all of them wake a wait for input.
enum Interrupts {
  /// Raised by Ctrl-C; reset by whoever runs the next command.
  static let cancellation = Cancellation()

  /// What ``wakeEnd`` is read from: one byte a signal.
  private static let pipe = Atomic<Int32>(-1)
  private static let wakeEnd = Atomic<Int32>(-1)
  private static let isScript = Atomic<Bool>(false)
  private static let ending = Atomic<Int32>(SIGINT)

  /// Readable when a signal came; -1 before ``install(_:)``.
  static var descriptor: Int32 { pipe.load(ordering: .relaxed) }

  enum Use { case script, prompt, tests }

  /// The exit status of what a signal ended: 130 after Ctrl-C.
  static var status: Int32 { 128 + ending.load(ordering: .relaxed) }

  static func install(_ use: Use) {
    // A reader that goes away is told by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    _ = cancellation.isCancelled
    StatusLine.erase()
    isScript.store(use != .prompt, ordering: .relaxed)
    ending.store(SIGINT, ordering: .relaxed)
    if descriptor < 0 { openPipe() }
    if use == .prompt || !isIgnored(SIGINT) { handle(SIGINT) }
    if use == .tests {
      // What tests leave behind is removed, and what came of them told, however they are ended.
      for number in [SIGTERM, SIGHUP] where !isIgnored(number) { handle(number) }
    }
    guard use == .prompt else { return }
    handle(SIGCONT)
    handle(SIGWINCH)
  }

  /// The signals that came since it was last asked.
  static func drain() -> [Int32] {
    guard descriptor >= 0 else { return [] }
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    var signals: [Int32] = []
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return signals }
      signals += bytes.prefix(count).map(Int32.init)
    }
  }

  /// Waits until there is something to read; a signal may come to any thread, so a read alone would
  /// not be woken.
  /// - Returns: false after Ctrl-C.
  static func waitForInput(_ input: Int32) -> Bool {
    while !cancellation.isCancelled {
      var polled = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), -1)
      if polled[1].revents != 0 { _ = drain() }
      if count > 0 && polled[0].revents != 0 || count < 0 && errno != EINTR { break }
    }
    return !cancellation.isCancelled
  }

  private static func openPipe() {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return }
    for end in ends {
      // A handler must never wait, and neither must whoever asks what came.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    pipe.store(ends[0], ordering: .relaxed)
    wakeEnd.store(ends[1], ordering: .relaxed)
  }

  /// A shell starts what it puts into the background with SIGINT ignored, and that should stay.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Without SA_RESTART, so that a read that waits comes back.
  private static func handle(_ number: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { Interrupts.received($0) }
    sigaction(number, &action, nil)
  }

  /// Runs in the signal handler: nothing here may allocate or lock.
  private static func received(_ number: Int32) {
    let saved = errno
    if number == SIGINT || number == SIGTERM || number == SIGHUP {
      ending.store(number, ordering: .relaxed)
      // A script that does not heed the first Ctrl-C is ended by the second.
      if isScript.load(ordering: .relaxed) && cancellation.isCancelled {
        StatusLine.erase()
        _exit(status)
      }
      cancellation.cancel()
    }
    let wakeEnd = wakeEnd.load(ordering: .relaxed)
    if wakeEnd >= 0 {
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(wakeEnd, &byte, 1)
    }
    errno = saved
  }
}
