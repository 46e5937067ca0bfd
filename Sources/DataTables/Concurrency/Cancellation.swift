import Synchronization

/// A flag that long-running work checks between its pieces. Any thread or signal handler can set
/// it.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  private let parent: Cancellation?

  /// - Parameter parent: another flag; if it is set, this flag counts as set too.
  public init(parent: Cancellation? = nil) { self.parent = parent }

  public var isCancelled: Bool {
    flag.load(ordering: .relaxed) || parent?.isCancelled ?? false
  }

  public func cancel() { flag.store(true, ordering: .relaxed) }
  public func reset() { flag.store(false, ordering: .relaxed) }

  /// - Throws: ``TableError/cancelled``.
  public func check() throws(TableError) { if isCancelled { throw .cancelled } }
}
