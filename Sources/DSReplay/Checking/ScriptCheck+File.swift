package import DSInterpreter
import DataSources
import DataTables

extension ScriptCheck {
  /// Looks at a file; one that cannot be read is a mistake.
  package init(path: String, commands: CommandTable = .recording) {
    do throws(SourceError) {
      let text = try TextFile.read(path, cancellation: Cancellation())
      self.init(ReplayScript(text, path: path, commands: commands))
    } catch {
      self.init(mistakes: FileOutcome(unreadable: path, error).mistakes)
    }
  }
}
