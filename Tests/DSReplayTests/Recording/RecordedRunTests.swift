import DSInterpreter
import DataTables
import Testing

@testable import DSReplay

@Suite struct RecordedRunTests {
  private func errors(_ environment: WorkerEnvironment) async -> [String] {
    let run = RecordedRun(
      text: "timer on\nprint 1\n", path: "t.ds", commands: .replay, environment: environment,
      cancellation: Cancellation())
    return await run.capturedOutputs().flatMap(\.errors)
  }

  @Test func timePassesOnlyInTheOtherEnvironment() async {
    #expect(await errors(.fixed) == ["0.0 ms"])
    let other = await errors(.other)
    #expect(other.count == 1 && other[0].hasSuffix(" ms") && other[0] != "0.0 ms")
    #expect(await errors(.other) == other)
  }
}
