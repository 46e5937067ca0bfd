import Glibc

/// The program that the variable `PAGER` names.
struct ExternalPager {
  let command: String

  /// Runs the program with a text as its input, and waits for its end.
  /// - Returns: false if the program could not be run.
  func show(_ text: String) -> Bool {
    // `less` shows the styles of the text, and scrolls sideways.
    setenv("LESS", "RS", 0)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = spawn(readingFrom: ends[0])
    close(ends[0])
    if process != nil { Terminal(ends[1], allowsColor: false).write(text) }
    close(ends[1])
    guard let process else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    // 126 and 127 are the shell's statuses for a program that cannot be run.
    let code = (status >> 8) & 0xFF
    return status & 0x7F != 0 || code < 126
  }

  private func spawn(readingFrom input: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The shell ignores SIGPIPE; programs expect the default.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = []
    for word in ["sh", "-c", command] { words.append(strdup(word)) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ)
    return result == 0 ? process : nil
  }
}
