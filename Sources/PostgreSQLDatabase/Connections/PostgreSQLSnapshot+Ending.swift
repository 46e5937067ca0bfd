import DataTables
import Databases
import Synchronization

// The ends of transactions that nothing reads from.
extension PostgreSQLSnapshot {
  /// The time between two looks for sessions that wait for a lock of the transaction.
  private static let lookInterval = Duration.seconds(1)

  /// Notes the end of a read. A session that broke or whose transaction ended is given up.
  func keep(_ session: ServerSession) async {
    if await session.complete({ $0.isBroken }) {
      giveUp(session)
    } else {
      keep()
    }
  }

  private func giveUp(_ session: ServerSession) {
    state.withLock { $0.session = nil }
    pool.leave(self)
    pool.give(session)
  }

  func keep() {
    let now = ContinuousClock.now
    pool.enter(self, SessionPool.Holder(lastUse: now) { [weak self] in await self?.endIdle() })
    noteUse(now)
  }

  /// Notes a use, and makes sure that a task ends the transaction after the last one, or when
  /// another session waits for it: a `DROP TABLE` would wait for the whole idle time, and so would
  /// all that other sessions, also those of this program, read from the table then. The task belongs
  /// to the snapshot, and does not keep it.
  private func noteUse(_ now: ContinuousClock.Instant) {
    state.withLock { state in
      state.lastUse = now
      guard state.ending == nil else { return }
      state.ending = Task { [weak self] in
        while let rest = self?.restOfIdle, rest > .zero {
          do { try await Task.sleep(for: min(rest, Self.lookInterval)) } catch { return }
          if await self?.delaysAnotherSession() ?? true { break }
        }
        self?.state.withLock { $0.ending = nil }
        await self?.endIdle()
      }
    }
  }

  private var restOfIdle: Duration {
    idle - state.withLock { $0.lastUse }.duration(to: .now)
  }

  /// Whether another session waits for the transaction while no read uses it.
  private func delaysAnotherSession() async -> Bool {
    guard turns.take() else { return false }
    state.withLock { $0.isLooking = true }
    defer { endLook() }
    guard let session = state.withLock({ $0.session }) else { return false }
    let (isDelaying, isBroken) = await session.complete {
      ($0.delaysAnotherSession, $0.isBroken)
    }
    if isBroken { giveUp(session) }
    return isDelaying
  }

  private func endLook() {
    let waiting = state.withLock { state in
      state.isLooking = false
      defer { state.waiting = [] }
      return state.waiting
    }
    // A read that waits has the next turn.
    turns.pass()
    for continuation in waiting { continuation.resume() }
  }

  /// Waits for the end of a look, if there is one: at most for ``Wire/lookTime``.
  private func waitForLook() async {
    await withCheckedContinuation { continuation in
      let isLooking = state.withLock { state in
        if state.isLooking { state.waiting.append(continuation) }
        return state.isLooking
      }
      if !isLooking { continuation.resume() }
    }
  }

  /// Ends the transaction unless a read uses it now.
  private func endIdle() async {
    // A look is short, and a session that is needed elsewhere is asked for once.
    await waitForLook()
    guard turns.take() else { return noteUse(.now) }
    defer { turns.pass() }
    await endTransaction()
  }

  /// Gives the session back during a turn.
  private func endTransaction() async {
    guard let session = state.withLock({ $0.session }) else { return }
    if state.withLock({ $0.contents == nil }) {
      let contents = try? await contents(in: session, Cancellation())
      state.withLock { $0.contents = contents ?? nil }
    }
    state.withLock { $0.session = nil }
    pool.leave(self)
    await pool.giveBack(session)
  }
}
