import DataTables
import Testing

@testable import DSInterpreter

/// The limits of blocks, and how they end.
@Suite struct BlockTests {
  @Test func aLongChainOfConditionsIsNotNested() async throws {
    let count = 3 * Parser.maxDepth
    let chain = (1...count).map { "if n == \($0) { print \($0) }" }.joined(separator: " else ")
    let script = "let n = \(count)\n\(chain) else { print 0 }\nlet n = 0\n\(chain) else { print 0 }"
    let result = try await run(script)
    #expect(result.outcome == .done && result.failures.isEmpty)
    #expect(result.values == ["\(count)", "\(count)", "0", "0"])
  }

  @Test(arguments: [1, 16, 17, 1_000])
  func expectedFailuresAreNestedToALimit(depth: Int) async throws {
    let line = String(repeating: "expect throws expectation: ", count: depth) + "print 1"
    let result = try await run(line)
    let isTooDeep = result.failures.contains { $0.kind == .limit }
    #expect(isTooDeep == (depth > 16))
    #expect(result.failures.count <= 1)
  }

  @Test func runsGoOnAfterFailuresInNestedBlocks() async throws {
    let script = """
      def check n { expect n == 2; print "checked" }
      for n in [1, 2] {
        if n > 0 {
          expect n == 1
          for m in [3, 4] { expect m == 3; print m }
        }
        print n
      }
      check 1
      print "end"
      """
    let kept = try await run(script, keepsGoing: true)
    #expect(kept.outcome == .failed && kept.failures.allSatisfy { $0.kind == .expectation })
    #expect(kept.values == ["3", "4", "1", "3", "4", "2", "checked", "end"])
    #expect(kept.failures.compactMap(\.place?.line) == [5, 4, 5, 1])
    let ended = try await run(script)
    #expect(ended.outcome == .failed && ended.values == ["3"])
  }

  @Test func anInterruptionIsNotAnExpectedCancellation() async throws {
    var interpreter = Interpreter()
    let cancellation = interpreter.session.cancellation
    // The events of the fetch stand for the moment at which Ctrl-C is pressed.
    interpreter.session.options.traceWriter = { _, _ in cancellation.cancel() }
    var failures: [Diagnostic] = []
    let script = """
      let a = simple [1]
      trace on
      expect throws cancelled: fetch a | count
      print "after"
      """
    let outcome = try await interpreter.run(script, keepsGoing: true) { event, _ in
      if case .failure(let failure) = event { failures.append(failure) }
    }
    #expect(outcome == .cancelled && failures.map(\.kind) == [.cancelled])
  }

  /// Runs a script; the values are the texts of its results.
  private func run(
    _ script: String, keepsGoing: Bool = false
  ) async throws -> (outcome: ExecutionOutcome, values: [String], failures: [Diagnostic]) {
    var interpreter = Interpreter()
    var values: [String] = []
    var failures: [Diagnostic] = []
    let outcome = try await interpreter.run(script, keepsGoing: keepsGoing) { event, _ in
      switch event {
      case .output(let output):
        guard case .value(let value) = output.content else { return }
        let text: String? = if case .string(let text) = value { text } else { nil }
        values.append(text ?? value.json)
      case .failure(let failure): failures.append(failure)
      }
    }
    return (outcome, values, failures)
  }
}
