import DSInterpreter
import DataTables
import Testing

@testable import DSReplay

@Suite struct RecordedRunTests {
  private func told(_ environment: WorkerEnvironment) async -> [String] {
    let run = RecordedRun(
      text: "timer on\nprint 1\n", path: "t.ds", commands: .recording, environment: environment,
      cancellation: Cancellation())
    return await run.capturedOutputs().flatMap(\.errors)
  }

  @Test func timePassesInOneRunAndNotInTheOther() async {
    #expect(await told(.fixed) == ["0.0 ms"])
    let other = await told(.other)
    #expect(other.count == 1 && other[0].hasSuffix(" ms") && other[0] != "0.0 ms")
    #expect(await told(.other) == other)
  }
}
