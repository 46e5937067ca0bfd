import DataSources
import DataTables
import Databases

// How the content of a source was computed.
extension Session {
  /// The statements of a database, what the shell computed and why, and the rows that were read.
  /// - Throws: ``SourceError`` if the plan of a statement cannot be read.
  func computation(
    of source: any DataSource, _ snapshot: Snapshot, showsPlans: Bool
  ) async throws -> Report {
    let name = displayName(of: source)
    let shortfall = snapshot.shortfall
    guard let computation = snapshot.computation else {
      return localComputation(of: source, snapshot, shortfall)
    }
    var notes = computation.statements.map { Report.Note(subject: "engine", text: $0) }
    if showsPlans, let store = snapshot.store as? TableStore {
      notes = []
      for (statement, plan) in try await store.plans(cancellation: cancellation) {
        notes.append(Report.Note(subject: "engine", text: statement))
        notes += plan.map { Report.Note(subject: "plan", text: $0) }
      }
    }
    if snapshot.isFromCache {
      notes.append(
        Report.Note(subject: "cache", text: "has the sections of this state of the data"))
    }
    notes += computation.assumptions.map { Report.Note(subject: "note", text: $0) }
    notes += shortfall.map(notes(about:)) ?? []
    notes += observationNotes(below: source)
    return Report(
      headline:
        "\(name): \(computation.origin), \(counted(computation.statements.count, "statement")), "
        + "\(counted(computation.rowsRead, "row")) read, \(counted(computation.pages, "page"))",
      notes: notes,
      data: Record([
        ("source", .string(name)), ("origin", .string(computation.origin)),
        ("statements", .array(computation.statements.map(Value.string))),
        ("rowsRead", .integer(computation.rowsRead)), ("pages", .integer(computation.pages)),
        ("assumptions", .array(computation.assumptions.map(Value.string))),
        ("copied", shortfall.map { .integer($0.objects) } ?? 0),
        ("reasons", .array((shortfall?.reasons ?? []).map(Value.string))),
      ]))
  }

  private func notes(about shortfall: Shortfall) -> [Report.Note] {
    let work = shortfall.rest.isEmpty ? "made" : "computed \(shortfall.rest) over"
    let copied = Report.Note(
      subject: "shell",
      text: "\(work) a copy of \(counted(shortfall.objects, "object"))")
    return [copied] + shortfall.reasons.map { Report.Note(subject: "because", text: $0) }
  }

  /// How the changes of watched tables arrive.
  private func observationNotes(below source: any DataSource) -> [Report.Note] {
    monitors.methods(below: source).flatMap { below, method, interval -> [Report.Note] in
      guard let table = below as? TableSource else { return [] }
      let name = displayName(of: below)
      switch method {
      case .reported:
        return [Report.Note(subject: "watch", text: "changes of \(name) are reported at once")]
      case .polled(let statements):
        let interval = interval.map { " every \(Self.written($0))" } ?? ""
        let more = statements.isEmpty ? "" : "; its changes are reported at once after"
        let database = self.name(of: table.database)
        return [Report.Note(subject: "watch", text: "\(name) is asked\(interval)\(more)")]
          + statements.map {
            Report.Note(text: "exec \(database) \(SuggestedLabels.written($0))")
          }
      }
    }
  }

  /// A duration as `poll:` takes it: `2s`, `500ms`.
  private static func written(_ duration: Duration) -> String {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }

  private func localComputation(
    of source: any DataSource, _ snapshot: Snapshot, _ shortfall: Shortfall?
  ) -> Report {
    let name = displayName(of: source)
    let request = snapshot.request.map { $0.isEmpty ? "" : ", \($0)" } ?? ""
    return Report(
      headline: "\(name): computed by the shell\(request)",
      notes: shortfall.map(notes(about:)) ?? [],
      data: Record([
        ("source", .string(name)), ("origin", "shell"), ("statements", .array([])),
        ("rowsRead", 0), ("pages", 0), ("assumptions", .array([])),
        ("copied", shortfall.map { .integer($0.objects) } ?? 0),
        ("reasons", .array((shortfall?.reasons ?? []).map(Value.string))),
      ]))
  }
}
