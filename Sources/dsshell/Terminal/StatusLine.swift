import DSRendering
import DataSources
import DataTables
import Glibc
import Synchronization

/// The last line of the terminal on standard error while it shows the progress of a command.
///
/// All other output to the terminal erases the line first. The cursor waits at the start of the line,
/// so that the echo of typed keys does not wrap.
final class StatusLine: Sendable {
  /// Whether standard error is a terminal that can show the line; otherwise it is never drawn.
  let isVisible: Bool
  private let terminal: Terminal
  /// Whether the line may be drawn.
  private let isOpen = Mutex(false)
  /// Static, because a signal handler reads it.
  private static let isDrawn = Atomic<Bool>(false)
  private static let erasure: StaticString = "\r\u{1B}[J"

  init(_ terminal: Terminal, isVisible: Bool) {
    self.terminal = terminal
    self.isVisible = isVisible
  }

  /// Allows drawing.
  func open() { isOpen.withLock { $0 = true } }

  /// Erases the line; no other thread draws it again before ``open()``.
  /// - Returns: whether the line was visible.
  @discardableResult
  func close() -> Bool {
    isOpen.withLock {
      $0 = false
      return erase()
    }
  }

  /// Draws the progress; erases the line if the report is nil.
  func draw(_ report: Progress.Report?) {
    isOpen.withLock { isOpen in
      // A process in the background does not own the terminal.
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

  /// Erases the line and writes other text in its place.
  func write(_ text: String) {
    isOpen.withLock { _ in
      erase()
      // A failure of standard error cannot be reported anywhere.
      try? OutputStream(terminal.descriptor).writeAll(text)
    }
  }

  @discardableResult
  private func erase() -> Bool { Self.erase(terminal.descriptor) }

  /// Safe in a signal handler after a first call outside of a signal handler.
  /// - Returns: whether the line was visible.
  @discardableResult
  static func erase(_ descriptor: Int32 = STDERR_FILENO) -> Bool {
    guard isDrawn.exchange(false, ordering: .relaxed) else { return false }
    _ = Glibc.write(descriptor, erasure.utf8Start, erasure.utf8CodeUnitCount)
    return true
  }

  private var isInForeground: Bool {
    let group = tcgetpgrp(terminal.descriptor)
    // Only the controlling terminal reports its foreground group.
    return group < 0 || group == getpgrp()
  }
}
