import DataSources
import Pictures

/// The events of the last fetch or edit of a source as messages between lanes: each source sends its
/// events to the sources that wrap it, and the outermost one to its delegate.
struct EventSequence {
  private let sources: [any DataSource]
  /// The lane of each source; lane 0 is the delegate.
  private let lanes: [ObjectIdentifier: Int]
  private let session: Session

  init(of source: any DataSource, in session: Session) {
    self.session = session
    sources = SourceGraph.sources(below: source)
    var lanes: [ObjectIdentifier: Int] = [:]
    for (index, source) in sources.enumerated() { lanes[ObjectIdentifier(source)] = index + 1 }
    self.lanes = lanes
  }

  /// - Parameter title: the name of the source.
  func picture(of source: any DataSource, _ title: String) -> Picture {
    let events = source.transcript.map { entry in
      (
        entry.time,
        message(EventLine(entry, in: session), of: entry.source, to: receivers(entry.source)),
        entry.event
      )
    }
    let pages = source.transcriptPages.map { page in
      (page.read.time, message(EventLine(page, in: session), of: page.source, to: []))
    }
    var timed = events.map { time, message, event in
      var message = message
      if case .failed = event { message.isFailure = true }
      return (time, message)
    }
    timed += pages
    // The sort is stable: equal times keep the order of the events.
    timed.sort { $0.0 < $1.0 }
    return Picture(
      "events of \(title)",
      .lanes(
        [Picture.Lane("delegate")] + sources.map { Picture.Lane(session.displayName(of: $0)) },
        messages: timed.map(\.1)),
      note: timed.isEmpty ? "no fetch yet" : nil)
  }

  private func message(
    _ line: EventLine, of source: any DataSource, to ends: [Int]
  ) -> Picture.Message {
    Picture.Message(
      from: lanes[ObjectIdentifier(source)] ?? 0, to: ends, line.event, detail: line.detail)
  }

  /// The lanes of the wrappers of a source; the delegate for the outermost one.
  private func receivers(_ source: any DataSource) -> [Int] {
    let wrappers = sources.filter { $0.children.contains { $0 === source } }
    return wrappers.isEmpty ? [0] : wrappers.compactMap { lanes[ObjectIdentifier($0)] }.sorted()
  }
}
