import DSInterpreter
import DSReplay
import DataSources
import TestSupport
import Testing

/// All scripts, with the rows of their files and arrays in tables of a database instead: a store that
/// reads in pages and answers requests must show what a store in memory shows.
@Suite struct EngineScriptTests {
  @Test(arguments: scripts) func theScriptPassesOverTables(script: ScriptFile) async throws {
    let failures = try await script.failures(over: .sqlite)
    #expect(failures == [])
  }

  @Test func mostScriptsRunOverTables() {
    #expect(Self.scripts.count > 120)
  }

  static let scripts = ScriptFile.all.filter { script in
    script.server == nil && !Self.exceptions.contains { script.path.hasSuffix("/" + $0) }
  }

  private static let exceptions = databases + edits + files + displays

  /// Scripts about databases of their own.
  private static let databases = [
    "databases-equal-values.ds", "databases-faults.ds", "databases-functions.ds",
    "databases-rows-are-not-edited.ds",
  ]

  /// Rows of tables are not edited, nor watched as files are.
  private static let edits = [
    "changes-in-sections.ds", "changes-of-equals.ds", "diff-two-sources.ds", "edit-events.ds",
    "edit-warnings.ds", "edited-file.ds", "edits-below-multi.ds", "edits-through-wrappers.ds",
    "explain-hidden.ds", "limit.ds", "lint-identities.ds", "organized-remove.ds",
    "other-objects.ds",
    "watch-failed-fetch.ds", "watch-file.ds", "watch-logs.ds", "watch-many.ds", "watch-names.ds",
    "watch-poll.ds", "watch-rejects.ds", "watch-unobserved.ds", "watch.ds",
    "watched-fetched-results.ds",
  ]

  /// A table has no rejected rows, lines or read options.
  private static let files = [
    "diff-two-files.ds", "explain-absent.ds", "fixed-width.ds", "fixed.ds", "ini.ds",
    "json-rows.ds", "load-sqlite.ds", "log.ds", "logfmt.ds", "logs-logfmt.ds", "logs-pattern.ds",
    "missing-arguments.ds", "ndjson.ds", "rejects-of-wrappers.ds", "rejects.ds", "save-file.ds",
    "set-load.ds", "table.ds", "tsv.ds", "w3c.ds", "warnings-in-formats.ds",
    "warnings-of-comparisons.ds", "warnings-of-operators.ds", "warnings-suggest-reading.ds",
    "where-labels.ds", "wrapping.ds", "xml.ds",
  ]

  /// The output names the kind of source, the declared type of a column or a form of numbers that
  /// tables do not keep.
  private static let displays = [
    "describe-filtered.ds", "explain-own-order.ds", "explain.ds", "html-tables.ds",
    "multi-events.ds", "property-lists.ds", "show.ds", "tree.ds", "xlsx.ds",
  ]
}

/// The same scripts over servers, one after another: a server accepts a limited number of connections.
@Suite(.serialized) struct ServerScriptTests {
  @Test(.requires(.postgres), arguments: EngineScriptTests.scripts)
  func theScriptPassesOverPostgreSQL(script: ScriptFile) async throws {
    let failures = try await script.failures(over: .postgres)
    #expect(failures == [])
  }

  @Test(.requires(.clickhouse), arguments: EngineScriptTests.scripts)
  func theScriptPassesOverClickHouse(script: ScriptFile) async throws {
    let failures = try await script.failures(over: .clickhouse)
    #expect(failures == [])
  }
}
