import DataTables
import Glibc
import Synchronization

/// Handles signals. Ctrl-C and the other signals that end a run of tests set a flag that commands
/// check; every handled signal also ends a wait for input.
enum Interrupts {
  /// Set by Ctrl-C; reset before the next command runs.
  static let cancellation = Cancellation()

  /// The read end of a pipe that carries one byte per signal; ``wakeEnd`` is its write end.
  private static let pipe = Atomic<Int32>(-1)
  private static let wakeEnd = Atomic<Int32>(-1)
  private static let isScript = Atomic<Bool>(false)
  private static let ending = Atomic<Int32>(SIGINT)

  /// A descriptor that is readable after a signal; -1 before ``install(_:)``.
  static var descriptor: Int32 { pipe.load(ordering: .relaxed) }

  enum Use { case script, prompt, tests }

  /// Exit status after a signal ended the run: 130 after Ctrl-C.
  static var status: Int32 { 128 + ending.load(ordering: .relaxed) }

  static func install(_ use: Use) {
    // A write to a pipe without a reader fails with EPIPE instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    // Initialize the lazy variables of the signal handler, which must not initialize them itself.
    _ = cancellation.isCancelled
    StatusLine.erase()
    isScript.store(use != .prompt, ordering: .relaxed)
    ending.store(SIGINT, ordering: .relaxed)
    if descriptor < 0 { openPipe() }
    if use == .prompt || !isIgnored(SIGINT) { handle(SIGINT) }
    if use == .tests {
      // A run of tests that a signal ends still removes its files and reports the results so far.
      for number in [SIGTERM, SIGHUP] where !isIgnored(number) { handle(number) }
    }
    guard use == .prompt else { return }
    handle(SIGCONT)
    handle(SIGWINCH)
  }

  /// Handles further signals while `body` runs, except those that are ignored.
  static func whileHandling<Result>(_ numbers: [Int32], _ body: () -> Result) -> Result {
    let actions = beginHandling(numbers)
    defer { restore(actions) }
    return body()
  }

  /// Handles further signals while `body` runs, except those that are ignored.
  static func whileHandling<Result>(
    _ numbers: [Int32], _ body: () async throws -> Result
  ) async throws -> Result {
    let actions = beginHandling(numbers)
    defer { restore(actions) }
    return try await body()
  }

  private static func beginHandling(_ numbers: [Int32]) -> [(number: Int32, action: sigaction)] {
    var actions: [(number: Int32, action: sigaction)] = []
    for number in numbers where !isIgnored(number) {
      var action = sigaction()
      sigaction(number, nil, &action)
      actions.append((number, action))
      handle(number)
    }
    return actions
  }

  private static func restore(_ actions: [(number: Int32, action: sigaction)]) {
    for (number, action) in actions {
      var action = action
      sigaction(number, &action, nil)
    }
  }

  /// Stops the process, as Ctrl-Z does; returns when it continues.
  static func stop() {
    signal(SIGTSTP, SIG_DFL)
    deliver(SIGTSTP)
    handle(SIGTSTP)
  }

  /// Sends a signal to the process and waits for its effect.
  static func deliver(_ number: Int32) {
    // The threads that run commands block signals, so another thread receives it, a little later.
    kill(getpid(), number)
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // The time of the first wait has passed while the process was stopped.
    if poll(&polled, 1, 200) <= 0 { _ = poll(&polled, 1, 200) }
  }

  /// The signals received since the last call.
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

  /// Waits until `input` is readable. A signal may be delivered to any thread, so it would not
  /// interrupt a blocking read.
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
      // Neither the handler nor `drain` may block.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    pipe.store(ends[0], ordering: .relaxed)
    wakeEnd.store(ends[1], ordering: .relaxed)
  }

  /// A shell starts background jobs with SIGINT ignored, and the signal must stay ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Installs the handler without SA_RESTART, so that a blocking read returns.
  private static func handle(_ number: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { Interrupts.received($0) }
    sigaction(number, &action, nil)
  }

  /// Runs in the signal handler: must not allocate or lock.
  private static func received(_ number: Int32) {
    let saved = errno
    if number == SIGINT || number == SIGTERM || number == SIGHUP {
      ending.store(number, ordering: .relaxed)
      // A second Ctrl-C ends a script that ignores the first.
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
