import Synchronization

/// The progress of long-running work. The work reports its progress; any thread can read it.
///
/// The work begins a phase, advances it and ends it, whether it succeeds or fails:
/// ```swift
/// let phase = progress.begin("GET example.test/posts", unit: .bytes)
/// defer { phase.end() }
/// phase.setTotal(length)
/// for try await piece in body { phase.advance(by: piece.count) }
/// ```
/// Phases may nest and overlap. Among the phases that have not ended, ``current`` reports the one
/// that began last, so that a part takes precedence over the whole. All methods return immediately.
public final class Progress: Sendable {
  public enum Unit: Sendable { case bytes, rows, pages }

  /// The progress of the phase that began last, or of the command while no phase is under way.
  public struct Report: Sendable, Equatable {
    /// The name of the work, such as `people.csv` or `sorting 5,000,000 objects`.
    public var name: String
    /// The unit of the counts; nil when nothing is counted.
    public var unit: Unit?
    /// Number of completed units.
    public var completed: Int
    /// Total number of units; nil if unknown.
    public var total: Int?
    /// Time since the start of the phase.
    public var elapsed: Duration
    /// The time that the user has been waiting: since the start of the command or, without a
    /// command, since the start of the first phase that has not ended.
    public var age: Duration

    public init(
      _ name: String, unit: Unit? = nil, completed: Int = 0, total: Int? = nil, elapsed: Duration,
      age: Duration? = nil
    ) {
      self.name = name
      self.unit = unit
      self.completed = completed
      self.total = total
      self.elapsed = elapsed
      self.age = age ?? elapsed
    }
  }

  /// The current work.
  private struct Work {
    /// The name and the start of the running command.
    var command: (name: String, start: AdjustableClock.Instant)?
    var phases: [Phase] = []

    mutating func clear() {
      command = nil
      // Keep the capacity; usually the array is empty.
      while phases.popLast() != nil {}
    }
  }

  private let work = Mutex(Work())
  private let resets = Atomic<Int>(0)

  /// The clock of all times in reports.
  let clock: AdjustableClock

  public convenience init() { self.init(clock: AdjustableClock()) }

  package init(clock: AdjustableClock) { self.clock = clock }

  /// Begins a phase.
  ///
  /// - Parameters:
  ///   - name: the name of the work, in a few words; it is displayed, so it must not contain
  ///     secrets.
  ///   - unit: the unit that ``Phase/advance(by:)`` counts; nil if nothing is counted.
  ///   - total: total number of units; nil while it is unknown.
  /// - Returns: the phase, which is reported until ``Phase/end()``, ``reset()`` or ``restart(_:)``.
  public func begin(_ name: String, unit: Unit? = nil, total: Int? = nil) -> Phase {
    begin(name, unit: unit, total: total, completed: 0, since: clock.now)
  }

  /// Begins a phase that started earlier, at `start`, and has already completed some units.
  func begin(
    _ name: String, unit: Unit?, total: Int?, completed: Int, since start: AdjustableClock.Instant
  ) -> Phase {
    let phase = Phase(name, unit: unit, of: self, since: start)
    phase.setTotal(total)
    phase.advance(by: completed)
    work.withLock { $0.phases.append(phase) }
    return phase
  }

  /// Removes all phases and the command.
  public func reset() {
    resets.wrappingAdd(1, ordering: .relaxed)
    work.withLock { $0.clear() }
  }

  /// Removes all phases and sets the command, which starts now. The command is reported while no
  /// phase is under way.
  public func restart(_ name: String) {
    resets.wrappingAdd(1, ordering: .relaxed)
    let start = clock.now
    work.withLock { work in
      work.clear()
      work.command = (name, start)
    }
  }

  /// Number of calls of ``reset()`` and ``restart(_:)``.
  var resetCount: Int { resets.load(ordering: .relaxed) }

  /// A report of the current work; nil without any.
  public var current: Report? {
    let now = clock.now
    let (command, first, last) = work.withLock { ($0.command, $0.phases.first, $0.phases.last) }
    guard let start = command?.start ?? first?.start else { return nil }
    let age = start.duration(to: now)
    return last?.report(at: now, age: age) ?? command.map { Report($0.name, elapsed: age) }
  }

  fileprivate func end(_ phase: Phase) {
    work.withLock { $0.phases.removeAll { $0 === phase } }
  }
}

extension Progress {
  /// A part of the work. ``advance(by:)`` is a single atomic addition.
  public final class Phase: Sendable {
    let start: AdjustableClock.Instant
    private let name: String
    private let unit: Unit?
    private let progress: Progress
    private let completed = Atomic<Int>(0)
    /// -1 if unknown.
    private let total = Atomic<Int>(-1)

    fileprivate init(
      _ name: String, unit: Unit?, of progress: Progress, since start: AdjustableClock.Instant
    ) {
      self.name = name
      self.unit = unit
      self.progress = progress
      self.start = start
    }

    /// Adds to the number of completed units; ignores a `count` that is not positive.
    public func advance(by count: Int) {
      if count > 0 { completed.wrappingAdd(count, ordering: .relaxed) }
    }

    /// Sets the total number of units; nil or a negative number makes it unknown.
    public func setTotal(_ count: Int?) { total.store(max(-1, count ?? -1), ordering: .relaxed) }

    /// Ends the phase, completed or not. Ending it again has no effect.
    public func end() { progress.end(self) }

    fileprivate func report(at now: AdjustableClock.Instant, age: Duration) -> Report {
      let total = total.load(ordering: .relaxed)
      return Report(
        name, unit: unit, completed: max(0, completed.load(ordering: .relaxed)),
        total: total < 0 ? nil : total, elapsed: start.duration(to: now), age: age)
    }
  }
}
