import DSInterpreter
import DSReplay
import DataSources
import Databases
import TestSupport
import Testing

/// All scripts, with the rows of their files and arrays in tables of a database instead: a store that
/// reads in pages and answers requests must show what a store in memory shows.
@Suite struct EngineScriptTests {
  @Test(arguments: scripts) func theScriptPassesOverTables(script: ScriptFile) async throws {
    let failures = try await script.failures(over: .sqlite)
    #expect(failures == [])
  }

  /// As if all sections were too many to keep their titles in memory.
  @Test(arguments: scripts) func theScriptPassesWithPagedTitles(script: ScriptFile) async throws {
    let failures = try await StoreLimits.$maxTitles.withValue(0) {
      try await StoreLimits.$titlesOfPage.withValue(2) { try await script.failures(over: .sqlite) }
    }
    #expect(failures == [])
  }

  @Test func mostScriptsRunOverTables() {
    #expect(Self.scripts.count > 120)
  }

  static let scripts = ScriptFile.all.filter { script in
    script.server == nil && !script.path.contains("/edit-")
      && !Self.exceptions.contains { script.path.hasSuffix("/" + $0) }
  }

  private static let exceptions = databases + largeTables + edits + files + displays

  /// Scripts with tables of their own, whose statements or edits are not those of other tables.
  private static let databases = ["databases-functions.ds", "databases-rows-are-not-edited.ds"]

  /// Scripts with 20,000 rows in a database of their own, which take seconds and would be the same here.
  private static let largeTables = [
    "diff-copies.ds", "watch-large-table.ds", "watch-text-keys.ds",
  ]

  /// Rows of tables are not edited, nor watched as files are. All scripts whose names begin
  /// with `edit-` are left out too.
  private static let edits = [
    "changes-in-sections.ds", "changes-of-equals.ds", "changes-of-lists.ds",
    "changes-of-sections.ds", "changes-of-updated-rows.ds",
    "diff-one-source.ds", "diff-staged.ds", "edited-file.ds",
    "edits-below-multi.ds", "edits-through-wrappers.ds",
    "explain-hidden.ds", "limit-edits.ds", "lint-identities.ds", "other-objects.ds",
    "reload-in-wrappers.ds",
    "save-conflict.ds", "save-edits.ds", "save-empty.ds",
    "events-sequence.ds", "interpolation.ds", "preview-changes.ds", "save-encoding.ds",
    "save-null.ds", "save-several.ds",
    "save-line-ends.ds",
    "diff-null.ds",
    "save-rest.ds", "save-transaction.ds",
    "snapshots.ds", "snapshots-diff.ds", "snapshots-dropped.ds", "snapshots-edits.ds",
    "snapshots-counts.ds", "snapshots-failed.ds", "snapshots-files.ds", "snapshots-multi.ds",
    "snapshots-reload.ds", "snapshots-settings.ds", "snapshots-tables.ds",
    "snapshots-transaction.ds", "snapshots-unchanged.ds",
    "save-undo.ds", "save-wrong-inputs.ds", "Scripts/reload.ds", "slow.ds", "stale.ds",
    "watch-advance-edit.ds", "watch-advance-fetch.ds", "watch-failed-fetch.ds", "watch-file.ds",
    "watch-intervals.ds", "watch-logs.ds", "watch-many.ds", "watch-names.ds",
    "watch-poll.ds", "watch-rejects.ds", "watch-staged.ds", "watch-table-poll.ds",
    "watch-unobserved.ds", "watch.ds",
    "watched-fetched-results.ds",
  ]

  /// A table has no rejected rows, lines or read options.
  private static let files = [
    "diff-two-files.ds", "empty-results.ds", "expect-objects.ds", "explain-absent.ds",
    "fixed-width.ds", "fixed.ds",
    "Scripts/ini.ds", "json-rows.ds", "load-sqlite.ds", "log.ds", "logfmt.ds", "logs-logfmt.ds",
    "logs-pattern.ds",
    "missing-arguments.ds", "ndjson.ds", "rejects-of-wrappers.ds", "rejects.ds", "save-file.ds",
    "save-refusals.ds",
    "set-load.ds", "table.ds", "tsv.ds", "w3c.ds", "warnings-in-formats.ds",
    "warnings-of-comparisons.ds", "warnings-of-operators.ds", "warnings-suggest-reading.ds",
    "where-labels.ds", "wrapping.ds", "Scripts/xml.ds",
  ]

  /// The output names the kind of source, the declared type of a column or a form of numbers that
  /// tables do not keep.
  private static let displays = [
    "code-data.ds", "code-diffable.ds", "code-faults.ds", "code-fetched-results.ds",
    "code-kinds.ds", "code-library-data.ds", "code-library.ds", "code-mistakes.ds",
    "code-names.ds", "code-nested.ds", "code-objective-c.ds", "code-order.ds", "code-plain.ds",
    "code-titles.ds", "code-agreeing-sort.ds", "code-identifiers.ds",
    "explain-own-order.ds", "explain.ds", "html-tables.ds",
    "explain-long.ds",
    "explain-path.ds", "multi-events.ds", "preview.ds", "property-lists.ds", "show.ds", "tree.ds",
  ]
}

/// The same scripts over servers, one after another: a server accepts a limited number of connections.
@Suite(.serialized) struct ServerScriptTests {
  /// One script saves a NUL, which PostgreSQL cannot store.
  private static let postgres = EngineScriptTests.scripts.filter {
    !$0.path.hasSuffix("/databases-faults.ds")
  }

  /// Older versions of ClickHouse keep bools as numbers, and dates of any form are kept as texts.
  private static let clickhouse = EngineScriptTests.scripts.filter { script in
    !["/formats/xlsx.ds", "/plot-dates.ds", "/suggest-values.ds"].contains {
      script.path.hasSuffix($0)
    }
  }

  @Test(.requires(.postgres), arguments: postgres)
  func theScriptPassesOverPostgreSQL(script: ScriptFile) async throws {
    let failures = try await script.failures(over: .postgres)
    #expect(failures == [])
  }

  @Test(.requires(.clickhouse), arguments: clickhouse)
  func theScriptPassesOverClickHouse(script: ScriptFile) async throws {
    let failures = try await script.failures(over: .clickhouse)
    #expect(failures == [])
  }
}
