import Glibc
import Testing

/// A named pipe at which a shell waits for the test.
final class Gate {
  let path: String
  private var descriptor: Int32 = -1

  init(in folder: TemporaryFolder, _ name: String = "gate") throws {
    path = folder.path + "/" + name
    try #require(mkfifo(path, 0o600) == 0)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits until the shell reads from the pipe.
  func waitForShell() throws {
    for _ in 0..<30_000 where descriptor < 0 {
      descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor < 0 { usleep(1000) }
    }
    try #require(descriptor >= 0)
  }

  /// Lets the shell go on.
  func open() {
    _ = "n\n1\n".withCString { write(descriptor, $0, strlen($0)) }
    close(descriptor)
    descriptor = -1
    unlink(path)
  }
}
