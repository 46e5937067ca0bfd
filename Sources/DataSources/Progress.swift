import Synchronization

/// How far long work is, for whoever shows it: told by the work, looked at from any thread.
///
/// Work that takes time begins a stage, advances it and ends it, whether it ends well or not:
/// ```swift
/// let stage = progress.begin("GET example.test/posts", unit: .bytes)
/// defer { stage.end() }
/// stage.setTotal(length)
/// for try await piece in body { stage.advance(by: piece.count) }
/// ```
/// A stage may begin within another one or beside it. What is told is the one that was begun last and
/// has not ended, so the smaller part goes before the whole. Nothing is ever waited for.
public final class Progress: Sendable {
  /// What is counted.
  public enum Unit: Sendable { case bytes, rows, pages }

  /// How far the stage is that was begun last.
  public struct Report: Sendable, Equatable {
    /// What is being done: `people.csv`, `sorting 5,000,000 objects`.
    public var name: String
    /// nil when nothing is counted.
    public var unit: Unit?
    /// In units, from 0.
    public var completed: Int
    /// In units; nil when nobody knows.
    public var total: Int?
    /// Since the stage began.
    public var elapsed: Duration
    /// Since the first stage began that has not ended: how long somebody has been waiting.
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
    var stages: [Stage] = []

    mutating func forget() {
      command = nil
      // Kept and emptied one by one: there are few, and mostly none.
      while stages.popLast() != nil {}
    }
  }

  private let work = Mutex(Work())
  private let resetCount = Atomic<Int>(0)

  /// By which times are told.
  let clock: AdjustableClock

  public convenience init() { self.init(clock: AdjustableClock()) }

  package init(clock: AdjustableClock) { self.clock = clock }

  /// Begins a stage.
  ///
  /// - Parameters:
  ///   - name: what is being done, in a few words. It is shown to people: no secrets.
  ///   - unit: what ``Stage/advance(by:)`` counts; nil when there is nothing to count.
  ///   - total: how many units there will be; nil when that is not known, or not yet.
  /// - Returns: what counts it. It is told of until ``Stage/end()`` or ``reset()``.
  public func begin(_ name: String, unit: Unit? = nil, total: Int? = nil) -> Stage {
    begin(name, unit: unit, total: total, completed: 0, since: clock.now)
  }

  /// Begins a stage of which something is done already.
  func begin(
    _ name: String, unit: Unit?, total: Int?, completed: Int, since start: AdjustableClock.Instant
  ) -> Stage {
    let stage = Stage(name, unit: unit, of: self, since: start)
    stage.setTotal(total)
    stage.advance(by: completed)
    work.withLock { $0.stages.append(stage) }
    return stage
  }

  /// Forgets all stages, for the next command.
  public func reset() {
    resetCount.wrappingAdd(1, ordering: .relaxed)
    work.withLock { $0.forget() }
  }

  /// Forgets all stages, for a command that starts: it is told of while no stage is under way.
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
    let (command, first, last) = work.withLock { ($0.command, $0.stages.first, $0.stages.last) }
    guard let start = command?.start ?? first?.start else { return nil }
    let age = start.duration(to: now)
    return last?.report(at: now, age: age) ?? command.map { Report($0.name, elapsed: age) }
  }

  fileprivate func end(_ stage: Stage) {
    work.withLock { $0.stages.removeAll { $0 === stage } }
  }
}

extension Progress {
  /// A part of the work, from its beginning to its end. Counting is a single atomic addition.
  public final class Stage: Sendable {
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

    /// Says that the stage is over, done or not. To end it again does nothing.
    public func end() { progress.end(self) }

    fileprivate func report(at now: AdjustableClock.Instant, age: Duration) -> Report {
      let total = total.load(ordering: .relaxed)
      return Report(
        name, unit: unit, completed: max(0, completed.load(ordering: .relaxed)),
        total: total < 0 ? nil : total, elapsed: start.duration(to: now), age: age)
    }
  }
}
