import DSInterpreter
import DataSources
import DataTables
import Databases

extension ScriptRun {
  /// Opens the engine of the environment, so that `load` copies rows into it; a failure is the reason
  /// why the file does not run.
  /// - Returns: the folder to remove after the run.
  mutating func openTables() async -> FreshFolder? {
    guard let engine = environment.engine, let facility = engine.facility else { return nil }
    guard environment.facilities.contains(facility) || engine == .sqlite else {
      fileEndReason = facility.absence
      return nil
    }
    do {
      let folder = try FreshFolder()
      let session = interpreter.session
      guard let driver = session.drivers.all.first(where: { $0.name == engine.rawValue }) else {
        fileEndReason = "not available: \(engine.rawValue)"
        return nil
      }
      var options = ConnectionOptions()
      options.isWritable = true
      let database = try await Database.open(
        DatabaseAddress(file: folder.path + "/rows.sqlite"), options, with: driver,
        cancellation: environment.cancellation)
      // A table keeps its snapshot while others are added.
      _ = try await database.connection.execute(
        "PRAGMA journal_mode = WAL", cancellation: environment.cancellation)
      interpreter.session.loadsInto = OpenDatabase(database)
      return folder
    } catch {
      fileEndReason = "\(engine.rawValue): \(SourceError(error).message)"
      return nil
    }
  }
}
