import DSRendering
import DataSources
import DataTables
import Glibc
import Synchronization

/// The last line of the terminal on standard error, while it tells how far a command is.
///
/// Whatever else is written to the terminal first takes it away. The cursor waits at its beginning,
/// so that what the terminal echoes wraps nothing.
final class StatusLine: Sendable {
  /// Whether there is somebody to see it; else it is never drawn.
  let isVisible: Bool
  private let terminal: Terminal
  /// Whether it may be drawn.
  private let isOpen = Mutex(false)
  /// Of the process, as a signal handler asks for it.
  private static let isDrawn = Atomic<Bool>(false)
  private static let erasure: StaticString = "\r\u{1B}[J"

  init(_ terminal: Terminal, isVisible: Bool) {
    self.terminal = terminal
    self.isVisible = isVisible
  }

  /// Lets it be drawn.
  func open() { isOpen.withLock { $0 = true } }

  /// Takes it away, and no drawing in another thread brings it back before ``open()``.
  /// - Returns: whether it was there.
  @discardableResult
  func close() -> Bool {
    isOpen.withLock {
      $0 = false
      return erase()
    }
  }

  /// Shows how far something is; takes the line away when there is nothing to tell.
  func draw(_ report: Progress.Report?) {
    isOpen.withLock { isOpen in
      // In the background the line is not ours.
      guard isOpen, isVisible, isInForeground else { return }
      let line = report.map {
        ProgressLine($0, isCancelled: Interrupts.cancellation.isCancelled)
      }
      guard let text = line?.text(for: terminal.traits) else {
        erase()
        return
      }
      Self.isDrawn.store(true, ordering: .relaxed)
      try? OutputStream(terminal.descriptor).writeAll("\(Self.erasure)\(text)\r")
    }
  }

  /// Writes other text in its place.
  func write(_ text: String) {
    isOpen.withLock { _ in
      erase()
      // What cannot be told on standard error can be told nowhere.
      try? OutputStream(terminal.descriptor).writeAll(text)
    }
  }

  @discardableResult
  private func erase() -> Bool { Self.erase(terminal.descriptor) }

  /// Fit for a signal handler, once it was called outside of one.
  /// - Returns: whether it was there.
  @discardableResult
  static func erase(_ descriptor: Int32 = STDERR_FILENO) -> Bool {
    guard isDrawn.exchange(false, ordering: .relaxed) else { return false }
    _ = Glibc.write(descriptor, erasure.utf8Start, erasure.utf8CodeUnitCount)
    return true
  }

  private var isInForeground: Bool {
    let group = tcgetpgrp(terminal.descriptor)
    // Only of the controlling terminal is it known.
    return group < 0 || group == getpgrp()
  }
}
