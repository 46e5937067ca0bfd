import DataSources

/// The names of a session and what depends on them, kept while others are in their place.
package struct NamesSetAside {
  fileprivate let names: Bindings
  fileprivate let stubs: [StubTransport]
  fileprivate let last: Operand
  fileprivate let log: SessionLog
  fileprivate let backgroundFetches: [BackgroundFetch]
  fileprivate let watchers: [ChangeWatcher]
  fileprivate let lastSource: (any DataSource)?
  package var isEmpty: Bool { names.all.isEmpty }
}

extension Session {
  /// Begins without names, stubs and what depends on them: listeners, fetches in the background, an
  /// open transaction.
  package mutating func setAsideNames() -> NamesSetAside {
    let aside = NamesSetAside(
      names: names, stubs: transports.stubs, last: last, log: execution.log,
      backgroundFetches: backgroundFetches, watchers: watchers, lastSource: lastSource)
    _ = endTransaction()
    backgroundFetches = []
    watchers = []
    transports.removeStubs()
    execution.log = SessionLog()
    names = Bindings()
    last = .none
    result = .none
    lastSource = nil
    rest = nil
    return aside
  }

  /// Binds the names again that were set aside; others are forgotten.
  package mutating func restore(_ aside: NamesSetAside) {
    _ = setAsideNames()
    names = aside.names
    last = aside.last
    execution.log = aside.log
    backgroundFetches = aside.backgroundFetches
    watchers = aside.watchers
    lastSource = aside.lastSource
    for stub in aside.stubs { transports.add(stub) }
  }
}
