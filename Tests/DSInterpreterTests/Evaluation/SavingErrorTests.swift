import DataSources
import DataTables
import Testing

@testable import DSInterpreter

struct SavingErrorTests {
  @Test(arguments: [(true, "is unchanged"), (false, "was not written")])
  func aCanceledSaveNamesTheStateOfTheFile(exists: Bool, state: String) {
    let script = ScriptText("save foods foods.csv")
    let diagnostic = Diagnostic(
      saving: "foods.csv", existing: exists, .data(.cancelled),
      at: Span(script, 0..<script.bytes.count))
    #expect(diagnostic.kind == .cancelled)
    #expect(diagnostic.message == "saving was canceled; foods.csv \(state)")
  }
}
