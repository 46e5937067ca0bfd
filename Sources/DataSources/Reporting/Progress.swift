import Synchronization

/// How far long work is, for whoever shows it: told by the work, looked at from any thread.
///
/// Work that takes time begins a phase, advances it and ends it, whether it ends well or not:
/// ```swift
/// let phase = progress.begin("GET example.test/posts", unit: .bytes)
/// defer { phase.end() }
/// phase.setTotal(length)
/// for try await piece in body { phase.advance(by: piece.count) }
/// ```
/// A phase may begin within another one or beside it. What is told is the one that was begun last and
/// has not ended, so the smaller part goes before the whole. Nothing is ever waited for.
public final class Progress: Sendable {
  /// What is counted.
  public enum Unit: Sendable { case bytes, rows, pages }

  /// How far the phase is that was begun last.
  public struct Report: Sendable, Equatable {
    /// What is being done: `people.csv`, `sorting 5,000,000 objects`.
    public var name: String
    /// nil when nothing is counted.
    public var unit: Unit?
    /// In units, from 0.
    public var completed: Int
    /// In units; nil when nobody knows.
    public var total: Int?
    /// Since the phase began.
    public var elapsed: Duration
    /// Since the first phase began that has not ended: how long somebody has been waiting.
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

  /// What is under way.
  private struct Work {
    /// What the command is that runs, and since when: nothing of it is counted.
    var command: (name: String, start: AdjustableClock.Instant)?
    var phases: [Phase] = []

    mutating func forget() {
      command = nil
      // Kept and emptied one by one: there are few, and mostly none.
      while phases.popLast() != nil {}
    }
  }

  private let work = Mutex(Work())
  private let resetCount = Atomic<Int>(0)

  /// By which times are told.
  let clock: AdjustableClock

  public convenience init() { self.init(clock: AdjustableClock()) }

  package init(clock: AdjustableClock) { self.clock = clock }

  /// Begins a phase.
  ///
  /// - Parameters:
  ///   - name: what is being done, in a few words. It is shown to people: no secrets.
  ///   - unit: what ``Phase/advance(by:)`` counts; nil when there is nothing to count.
  ///   - total: how many units there will be; nil when that is not known, or not yet.
  /// - Returns: what counts it. It is told of until ``Phase/end()`` or ``reset()``.
  public func begin(_ name: String, unit: Unit? = nil, total: Int? = nil) -> Phase {
    begin(name, unit: unit, total: total, completed: 0, since: clock.now)
  }

  /// Begins a phase of which something is done already.
  func begin(
    _ name: String, unit: Unit?, total: Int?, completed: Int, since start: AdjustableClock.Instant
  ) -> Phase {
    let phase = Phase(name, unit: unit, of: self, since: start)
    phase.setTotal(total)
    phase.advance(by: completed)
    work.withLock { $0.phases.append(phase) }
    return phase
  }

  /// Forgets all phases, for the next command.
  public func reset() {
    resetCount.wrappingAdd(1, ordering: .relaxed)
    work.withLock { $0.forget() }
  }

  /// Forgets all phases, for a command that starts: it is told of while no phase is under way.
  public func restart(_ name: String) {
    resetCount.wrappingAdd(1, ordering: .relaxed)
    let start = clock.now
    work.withLock { work in
      work.forget()
      work.command = (name, start)
    }
  }

  /// Differs before and after a ``reset()`` or ``restart(_:)``.
  var round: Int { resetCount.load(ordering: .relaxed) }

  /// What is being done at this moment; nil when nothing is under way.
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
  /// A part of the work, from its beginning to its end. Counting is a single atomic addition.
  public final class Phase: Sendable {
    let start: AdjustableClock.Instant
    private let name: String
    private let unit: Unit?
    private let progress: Progress
    private let completed = Atomic<Int>(0)
    /// -1 when it is not known.
    private let total = Atomic<Int>(-1)

    fileprivate init(
      _ name: String, unit: Unit?, of progress: Progress, since start: AdjustableClock.Instant
    ) {
      self.name = name
      self.unit = unit
      self.progress = progress
      self.start = start
    }

    /// Counts units that are done; none when `count` is not positive.
    public func advance(by count: Int) {
      if count > 0 { completed.wrappingAdd(count, ordering: .relaxed) }
    }

    /// Says how many units there will be in all; nil or a negative number takes it back.
    public func setTotal(_ count: Int?) { total.store(max(-1, count ?? -1), ordering: .relaxed) }

    /// Says that the phase is over, done or not. To end it again does nothing.
    public func end() { progress.end(self) }

    fileprivate func report(at now: AdjustableClock.Instant, age: Duration) -> Report {
      let total = total.load(ordering: .relaxed)
      return Report(
        name, unit: unit, completed: max(0, completed.load(ordering: .relaxed)),
        total: total < 0 ? nil : total, elapsed: start.duration(to: now), age: age)
    }
  }
}
