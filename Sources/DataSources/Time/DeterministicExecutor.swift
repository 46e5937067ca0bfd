import DataTables
import Glibc
import Synchronization

/// Runs the tasks of a script one at a time on one thread. When all of them wait, it advances the
/// virtual clock to the next deadline.
///
/// The order of the tasks depends only on the seed and the commands, so that a race is found again by
/// its seed, on every machine and in every build. Without a seed, tasks run in the order in which they
/// became ready, and ``settle()`` lets all of them run as far as they can.
///
/// A task runs until it waits for something, ends or takes turns. It continues where it only hops
/// between actors of the executor: how often it does depends on the optimizations of a build.
///
/// A task belongs to the executor if it is isolated to an actor whose executor this is, or prefers
/// this executor, which an unstructured task does not inherit. Waits for something outside, such as a
/// server, are announced by ``outside(isolation:_:)``: meanwhile the clock does not advance.
package final class DeterministicExecutor: TaskExecutor, SerialExecutor {
  /// The executor of the current run; nil outside of ``run(seed:_:)``.
  @TaskLocal package static var current: DeterministicExecutor?

  /// ``current``, if its thread runs the caller.
  static var running: DeterministicExecutor? {
    guard let current, current.state.withLock({ $0.thread == pthread_self() }) else { return nil }
    return current
  }

  private struct State {
    /// In the order in which they became ready.
    var ready: [UnownedJob] = []
    /// The number of the task that runs, and its job after a hop.
    var running: String?
    var hopped: UnownedJob?
    var thread: pthread_t?
    /// Number of waits for something outside.
    var outsideWaits = 0
    var isEnding = false
    /// nil if tasks run in the order in which they became ready.
    var order: SeededOrder?

    mutating func add(_ job: UnownedJob) {
      if running != nil, running == job.number, thread == pthread_self() {
        hopped = job
      } else {
        ready.append(job)
      }
    }

    mutating func next() -> UnownedJob? {
      guard !ready.isEmpty else { return nil }
      let job = ready.remove(at: order?.index(in: ready.count) ?? 0)
      running = job.number
      return job
    }

    mutating func nextAfterHop() -> UnownedJob? {
      defer { hopped = nil }
      if hopped == nil { running = nil }
      return hopped
    }
  }
  private let state = Mutex(State())
  /// Posted when a task becomes ready.
  private nonisolated(unsafe) let signal: UnsafeMutablePointer<sem_t>
  /// In the order in which they began. Only the thread of the executor uses them.
  private nonisolated(unsafe) var waits: [Wait] = []

  private init() {
    signal = .allocate(capacity: 1)
    sem_init(signal, 0, 0)
  }

  deinit {
    sem_destroy(signal)
    signal.deallocate()
  }

  // MARK: Tasks

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.add(job) }
    sem_post(signal)
  }

  /// Executors without a run.
  private static let idle = Mutex<[DeterministicExecutor]>([])
  /// Executors to which tasks that their run left behind still refer, such as canceled ones that wait
  /// for a server; they are never released.
  private static let left = Mutex<[DeterministicExecutor]>([])

  /// Isolates the sources of a run, so that a fetch in the background continues while other commands
  /// run.
  package actor Isolation {
    package nonisolated let executor: DeterministicExecutor

    fileprivate init(_ executor: DeterministicExecutor) { self.executor = executor }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    fileprivate func perform<Success: Sendable>(
      _ operation: @Sendable (isolated Isolation) async -> Success
    ) async -> Success {
      await operation(self)
    }
  }

  /// Runs an operation and the tasks that it starts.
  ///
  /// Tasks that have not ended with the operation, which must be canceled ones, run until they wait
  /// for something outside.
  /// - Parameter seed: determines the order of the tasks; nil for the order in which they become ready.
  package static func run<Success: Sendable>(
    seed: UInt64? = nil, _ operation: @escaping @Sendable (isolated Isolation) async -> Success
  ) async -> Success {
    let executor = idle.withLock { $0.popLast() } ?? DeterministicExecutor()
    executor.state.withLock { state in
      state.isEnding = false
      state.order = seed.map { SeededOrder(seed: $0) }
    }
    let task = $current.withValue(executor) {
      Task(executorPreference: executor) {
        defer { executor.end() }
        return await Isolation(executor).perform(operation)
      }
    }
    executor.startThread()
    return await task.value
  }

  /// Makes the order of the tasks from here on depend only on a seed.
  package func seed(_ seed: UInt64) {
    state.withLock { $0.order = SeededOrder(seed: seed) }
  }

  private func end() { state.withLock { $0.isEnding = true } }

  private func startThread() {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(self).toOpaque()
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument {
          Unmanaged<DeterministicExecutor>.fromOpaque(argument).takeRetainedValue().runTasks()
        }
        return nil
      }, argument)
    if result == 0 {
      pthread_detach(thread)
    } else {
      // Without another thread, the tasks run on this one.
      Unmanaged<DeterministicExecutor>.fromOpaque(argument).takeRetainedValue().runTasks()
    }
  }

  private func runTasks() {
    state.withLock { $0.thread = pthread_self() }
    while true {
      resumeWaits { $0.isOver }
      if let job = state.withLock({ $0.next() }) {
        run(job)
        while let job = state.withLock({ $0.nextAfterHop() }) { run(job) }
        continue
      }
      if resumeWaits({ $0.isUntilIdle }) { continue }
      let (isEnding, isWaitingOutside) = state.withLock { ($0.isEnding, $0.outsideWaits > 0) }
      if isEnding {
        // The session of the remaining tasks has ended.
        if resumeWaits({ _ in true }) { continue }
        break
      }
      if !isWaitingOutside, advanceClock() { continue }
      waitForSignal()
    }
    // A task that still waits outside would disturb the next run.
    let isIdle = state.withLock { state in
      state.thread = nil
      return state.outsideWaits == 0
    }
    if isIdle {
      Self.idle.withLock { $0.append(self) }
    } else {
      Self.left.withLock { $0.append(self) }
    }
  }

  private func run(_ job: UnownedJob) {
    job.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
  }

  /// Waits until a task becomes ready, briefly: a signal handler that raises a flag, or a clock that
  /// follows the system's time, ends a wait without making a task ready.
  private func waitForSignal() {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_nsec += Self.pollNanoseconds
    if end.tv_nsec >= 1_000_000_000 {
      end.tv_sec += 1
      end.tv_nsec -= 1_000_000_000
    }
    sem_timedwait(signal, &end)
  }

  private static let pollNanoseconds = 2_000_000

  // MARK: Waits

  private struct Wait {
    let clock: AdjustableClock
    let deadline: AdjustableClock.Instant?
    let isUntilIdle: Bool
    let condition: () -> Bool
    let continuation: UnsafeContinuation<Void, Never>

    /// The time until the deadline; nil without one.
    var rest: Duration? { deadline.map(clock.rest) }

    var isOver: Bool { rest.map { $0 <= .zero } ?? false || condition() }
  }

  /// Set by any thread when the task of a wait is canceled.
  private final class CancellationMark: Sendable {
    private let mark = Atomic<Bool>(false)

    var isSet: Bool { mark.load(ordering: .relaxed) }
    func set() { mark.store(true, ordering: .relaxed) }
  }

  /// Suspends the current task until a condition holds, or until a deadline. The condition is called
  /// between any two steps of tasks.
  /// - Parameter endsWithTask: whether canceling the task ends the wait.
  func wait(
    until deadline: AdjustableClock.Instant?, of clock: AdjustableClock, endsWithTask: Bool,
    isolation: isolated (any Actor)? = #isolation, or condition: @escaping () -> Bool
  ) async {
    let mark = CancellationMark()
    await withTaskCancellationHandler {
      _ = isolation
      await suspend(clock, deadline, isUntilIdle: false) {
        endsWithTask && mark.isSet || condition()
      }
    } onCancel: {
      mark.set()
    }
  }

  /// With a seed, gives another task the chance to run. Otherwise, lets all other tasks run until they
  /// wait.
  package func settle(isolation: isolated (any Actor)? = #isolation) async {
    guard Self.running === self else { return }
    if hasSeed { return await turn() }
    await suspend(AdjustableClock.current, nil, isUntilIdle: true) { false }
  }

  /// With a seed, lets another task run first, as a slow response would.
  static func takeTurns(isolation: isolated (any Actor)? = #isolation) async {
    if let running, running.hasSeed { await running.turn() }
  }

  /// Gives another task the chance to run, like `Task.yield()`, which would count as a hop here.
  package static func yield(isolation: isolated (any Actor)? = #isolation) async {
    if let running { await running.turn() } else { await Task.yield() }
  }

  private func turn(isolation: isolated (any Actor)? = #isolation) async {
    await suspend(AdjustableClock.current, nil, isUntilIdle: false) { true }
  }

  private var hasSeed: Bool { state.withLock { $0.order != nil } }

  private func suspend(
    _ clock: AdjustableClock, _ deadline: AdjustableClock.Instant?, isUntilIdle: Bool,
    isolation: isolated (any Actor)? = #isolation, _ condition: @escaping () -> Bool
  ) async {
    await withUnsafeContinuation { continuation in
      waits.append(
        Wait(
          clock: clock, deadline: deadline, isUntilIdle: isUntilIdle, condition: condition,
          continuation: continuation))
    }
  }

  /// - Returns: whether a wait has ended.
  @discardableResult
  private func resumeWaits(_ mayEnd: (Wait) -> Bool) -> Bool {
    if waits.isEmpty { return false }
    var ended: [Wait] = []
    waits.removeAll { wait in
      guard mayEnd(wait) else { return false }
      ended.append(wait)
      return true
    }
    for wait in ended { wait.continuation.resume() }
    return !ended.isEmpty
  }

  /// Advances a virtual clock to the next deadline.
  private func advanceClock() -> Bool {
    let next = waits.filter { $0.rest != nil }.min { ($0.rest ?? .zero) < ($1.rest ?? .zero) }
    guard let next, let deadline = next.deadline else { return false }
    return next.clock.advance(to: deadline)
  }

  /// Waits for something outside of the run, such as a server or a file that another program writes.
  package static func outside<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let current else { return try await body() }
    current.state.withLock { $0.outsideWaits += 1 }
    defer { current.state.withLock { $0.outsideWaits -= 1 } }
    _ = isolation
    return try await body()
  }

  /// Whether a task waits for something outside.
  package var waitsOutside: Bool { state.withLock { $0.outsideWaits > 0 } }
}

extension UnownedJob {
  /// The number of the task of the job, as text; nil for jobs of actors, which have none.
  fileprivate var number: String? {
    let description = description
    return description.hasSuffix("nil)") ? nil : description
  }
}
