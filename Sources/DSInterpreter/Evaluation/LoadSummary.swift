import DataSources
import DataTables

/// The output of a load: a headline, and notes about columns and rows.
struct LoadSummary {
  let source: any ReadSource
  let name: String
  /// The settings of the command that reports the load.
  private let settings: GivenSettings<ReadOptions>?

  init(
    _ source: any ReadSource, name: String, settings: GivenSettings<ReadOptions>? = nil
  ) {
    self.source = source
    self.name = name
    self.settings = settings
  }

  var report: Report {
    guard let found = source.report else {
      return Report(
        headline: "\(name): \(counted(source.numberOfObjects, "object"))", data: Record([]))
    }
    var notes = columnNotes(found) + rowNotes
    if let settings {
      for index in notes.indices {
        notes[index].text = settings.withReplacements(notes[index].text)
      }
    }
    return Report(headline: headline(found), notes: notes, data: data(found, notes))
  }

  /// `foods: 12 objects, 2 keys (name string, kind string), CSV, UTF-8`. The keys are listed only
  /// if the line has at most 100 characters with them.
  private func headline(_ found: LoadReport) -> String {
    var parts = [counted(found.rows, "object")]
    if !found.columns.isEmpty { parts.append(counted(found.columns.count, "key")) }
    let ends = [found.format, found.encoding] + (found.lineEnds.map { [$0] } ?? [])
    let short = "\(name): " + (parts + ends).joined(separator: ", ")
    guard !found.columns.isEmpty else { return short }
    parts[1] += " (" + found.columns.map { "\($0.key) \($0.type)" }.joined(separator: ", ") + ")"
    let long = "\(name): " + (parts + ends).joined(separator: ", ")
    return long.count <= 100 ? long : short
  }

  private func columnNotes(_ found: LoadReport) -> [Report.Note] {
    var notes: [Report.Note] = []
    var more = 0
    for column in found.columns {
      guard let evidence = column.evidence else { continue }
      guard notes.count < Self.maxColumnNotes else {
        more += 1
        continue
      }
      // Evidence for nested or mixed values names their types.
      let text = column.type == .value ? evidence : "\(column.type): \(evidence)"
      notes.append(Report.Note(subject: column.key, text: text))
    }
    if more > 0 {
      notes.append(Report.Note(text: "\(more.grouped) more keys have notes (describe \(name))"))
    }
    return notes
  }

  /// A document that is one object may have a million keys.
  private static let maxColumnNotes = 1_000

  /// Notes about padded and rejected rows, and about the whole file or response.
  var rowNotes: [Report.Note] {
    guard let found = source.report else { return [] }
    return (Self.notes(onRowsIn: found, of: name) + found.notes).map { Report.Note(text: $0) }
  }

  /// Notes about the rows that were padded, continued or rejected, and about the values that were
  /// read as null.
  static func notes(onRowsIn found: LoadReport, of name: String) -> [String] {
    var notes: [String] = []
    if let padded = found.padded {
      let rows = padded.count == 1 ? "1 row has" : "\(padded.count.grouped) rows have"
      notes.append(
        "\(rows) too few fields, filled with null: line \(padded.line) has \(padded.fields) of "
          + "\(found.columns.count)")
    }
    if found.continued > 0 {
      notes.append(
        found.continued == 1
          ? "1 line continues the line before"
          : "\(found.continued.grouped) lines continue the line before")
    }
    if found.rejected > 0 {
      let rows = found.rejected == 1 ? "1 row" : "\(found.rejected.grouped) rows"
      // Values that do not fit a requested type are rejects with a key.
      let first = found.rejects.filter { $0.key == nil }.prefix(3).map {
        "line \($0.line)" + ($0.file.map { " of \($0)" } ?? "") + " \($0.reason)"
      }
      let more = found.rejected > first.count ? ", …" : ""
      notes.append("\(rows) rejected: \(first.joined(separator: ", "))\(more) (rejects \(name))")
    }
    if found.misfits > 0 {
      let values = found.misfits == 1 ? "1 value does" : "\(found.misfits.grouped) values do"
      notes.append("\(values) not fit the requested type, read as null (rejects \(name))")
    }
    return notes
  }

  private func data(_ found: LoadReport, _ notes: [Report.Note]) -> Record {
    let keys = found.columns.map {
      Value.record(Record([("key", .string($0.key)), ("type", .string($0.type.rawValue))]))
    }
    return Record([
      ("source", .string(name)), ("sections", .integer(source.numberOfSections)),
      ("objects", .integer(found.rows)), ("keys", .array(keys)),
      ("format", .string(found.format)), ("encoding", .string(found.encoding)),
      ("rejected", .integer(found.rejected)), ("padded", .integer(found.padded?.count ?? 0)),
      ("misfits", .integer(found.misfits)),
      ("path", (source as? SimpleSource)?.path.map(Value.string) ?? .null),
      ("notes", .array(notes.map { .string($0.line) })),
    ])
  }
}
