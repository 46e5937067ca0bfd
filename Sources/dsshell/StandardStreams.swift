import Glibc

/// The three descriptors every process counts on.
enum StandardStreams {
  /// Fills those that whoever started us had closed: else a file that is opened would take their
  /// place, and results would be written into it.
  static func open() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor is this one; writing to it still fails, as it should.
      _ = Glibc.open("/dev/null", O_RDONLY)
    }
  }
}
