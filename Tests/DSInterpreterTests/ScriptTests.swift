import DSInterpreter
import Testing

@Suite struct ScriptTests {
  @Test(arguments: ScriptFile.all)
  func theScriptDoesWhatItSays(script: ScriptFile) async throws {
    let failures = try await script.failures()
    #expect(failures == [])
  }

  @Test func thereAreScripts() {
    #expect(ScriptFile.all.count > 20)
  }
}
