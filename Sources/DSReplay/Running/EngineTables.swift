import DSInterpreter
import DataSources
import DataTables
import Databases

extension ScriptRun {
  /// Opens the engine of the environment, so that `load` copies rows into it.
  /// - Returns: the failure that keeps the file from running; nil without one.
  mutating func openTables() async -> CommandFailure? {
    guard let engine = environment.engine, let facility = engine.facility else { return nil }
    // Without its engine, all commands are skipped.
    guard environment.facilities.contains(facility) else { return nil }
    do {
      // The commands of the script may not use the network, but their tables may be on a server.
      let drivers =
        environment.network.map { DatabaseDrivers.standard(over: $0) }
        ?? interpreter.session.drivers
      guard let driver = drivers.all.first(where: { $0.name == engine.rawValue }) else {
        throw DatabaseError(.connection, "no driver is installed")
      }
      var options = ConnectionOptions()
      options.isWritable = true
      let database = try await Database.open(
        try address(of: engine, facility), options, with: driver,
        cancellation: environment.cancellation)
      if engine == .sqlite {
        // A table keeps its snapshot while others are added.
        _ = try await database.connection.execute(
          "PRAGMA journal_mode = WAL", cancellation: environment.cancellation)
      }
      interpreter.session.loadsInto = OpenDatabase(database)
      return nil
    } catch {
      let reason = "\(engine.rawValue): \(SourceError(error).message)"
      fileEndReason = reason
      let line = script.sections.first?.line ?? 1
      var failure = CommandFailure(line: line, kind: .error, message: reason)
      failure.picture = FailurePicture.lines(
        ofDirectiveAt: line, in: script, section: 0, note: reason,
        rerun: RerunCommand(of: environment))
      return failure
    }
  }

  func report(_ failure: CommandFailure?, in result: inout SectionOutcome) {
    guard let failure else { return }
    result.failures.append(failure)
    observer.failed(failure)
  }

  /// A file in the folder of the run, or the server that the environment names.
  private func address(
    of engine: TableEngine, _ facility: Facility
  ) throws -> DatabaseAddress {
    guard let address = facility.address else {
      return DatabaseAddress(
        file: try FileOverlay.place(of: interpreter.session.options.folder + "/rows.sqlite"))
    }
    return try DatabaseAddress(parsing: address)
  }

  /// Removes the tables that the run made on a server. A file is removed with the folder of the run.
  func closeTables() async {
    guard environment.engine?.facility?.address != nil else { return }
    await interpreter.session.loadsInto?.removeCopies()
  }
}
