import DSRendering
import DataSources
import Dispatch

/// Draws the progress of running commands about ten times a second.
///
/// Does nothing without a terminal. Drawing starts only when a command has run for
/// ``ProgressLine/delay``, so shorter commands start no thread.
final class ProgressBar {
  private let line: StatusLine
  private let queue = DispatchQueue(label: "dsshell.progress")
  private var timer: (any DispatchSourceTimer)?

  private static let interval = DispatchTimeInterval.milliseconds(100)
  private static let leeway = DispatchTimeInterval.milliseconds(10)

  init(_ line: StatusLine) { self.line = line }

  deinit { timer?.cancel() }

  func start(_ progress: Progress) {
    guard line.isVisible else { return }
    stop()
    line.open()
    // On a queue of its own, because work may occupy all threads of the task pool.
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let milliseconds = Int(ProgressLine.delay / .milliseconds(1))
    timer.schedule(
      deadline: .now() + .milliseconds(milliseconds), repeating: Self.interval,
      leeway: Self.leeway)
    timer.setEventHandler { [line] in line.draw(progress.current) }
    timer.resume()
    self.timer = timer
  }

  func stop() {
    timer?.cancel()
    timer = nil
    line.close()
  }
}
