import Synchronization

/// A flag that long-running work checks between its pieces. Any thread or signal handler can set
/// it.
public final class Cancellation: Sendable {
  /// The flag whose raising cancels the current task. Raising it takes effect here before the task is
  /// canceled.
  @TaskLocal package static var current: Cancellation?

  private let flag = Atomic<Bool>(false)
  private let parent: Cancellation?

  /// - Parameter parent: another flag; if it is set, this flag counts as set too.
  public init(parent: Cancellation? = nil) { self.parent = parent }

  public var isCancelled: Bool {
    flag.load(ordering: .relaxed) || parent?.isCancelled ?? false
  }

  /// Whether this flag itself is set, not only its parent.
  package var isCancelledItself: Bool { flag.load(ordering: .relaxed) }

  public func cancel() { flag.store(true, ordering: .relaxed) }
  public func reset() { flag.store(false, ordering: .relaxed) }

  /// - Throws: ``TableError/cancelled``; `limit` if the process uses more memory than ``MemoryLimit``
  ///   allows.
  public func check() throws(TableError) {
    try checkCancelled()
    try MemoryLimit.check()
  }

  /// Like ``check()``, for what needs little memory, such as the output of a command that has an effect
  /// already.
  /// - Throws: ``TableError/cancelled``.
  package func checkCancelled() throws(TableError) { if isCancelled { throw .cancelled } }

  /// The result of work whose errors do not matter, such as a check whether advice is right; nil
  /// after an error.
  /// - Throws: see ``check()``.
  package func attempt<Result>(_ work: () throws -> Result) throws(TableError) -> Result? {
    let result = try? work()
    try check()
    return result
  }
}
