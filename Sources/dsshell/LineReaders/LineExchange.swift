import DSInterpreter
import Dispatch

/// Connects a line reader, which runs on a thread of its own, with the session.
///
/// libedit waits for keys inside of a C function, from which asynchronous work of the session
/// cannot be called. The reader's thread asks instead, and waits for the answer; the session waits
/// for its questions and answers them where its sources are isolated. Only one of the two runs at
/// any time.
///
/// Unchecked `Sendable` is safe, because the semaphores order all accesses.
final class LineExchange: @unchecked Sendable {
  enum Question {
    /// The candidates at a UTF-8 offset of the line.
    case completions(String, Int)
    /// How the line is shown, with the cursor at a UTF-8 offset.
    case decoration(String, Int)
    /// A watched file may have changed. The answer is what is observed from now on.
    case change
    /// The line was read. This is the last question, without an answer.
    case line(TypedLine)
  }

  private let asked = DispatchSemaphore(value: 0)
  private let answered = DispatchSemaphore(value: 0)
  private var question = Question.line(.end)
  private var completions = Completions(start: 0, candidates: [])
  private var decoration = EntryDecoration()
  private var observed = ObservedChanges()
  private static let queue = DispatchQueue(label: "dsshell.lines")

  /// Starts to read a line; ``next()`` returns it.
  func start(_ reader: any LineReader, prompt: LinePrompt, observing observed: ObservedChanges) {
    self.observed = observed
    nonisolated(unsafe) let reader = reader
    Self.queue.async { [self] in
      question = .line(reader.readLine(prompt: prompt, asking: self))
      asked.signal()
    }
  }

  /// Waits for the next question of the reader.
  func next() -> Question {
    asked.wait()
    return question
  }

  func answer(_ completions: Completions) {
    self.completions = completions
    answered.signal()
  }

  func answer(_ decoration: EntryDecoration) {
    self.decoration = decoration
    answered.signal()
  }

  func answer(_ observed: ObservedChanges) {
    self.observed = observed
    answered.signal()
  }
}

// The side of the reader.
extension LineExchange: LineAssistant {
  var observedChanges: ObservedChanges { observed }

  func completions(for text: String, at offset: Int) -> Completions {
    ask(.completions(text, offset))
    return completions
  }

  func decoration(of text: String, cursor: Int) -> EntryDecoration {
    ask(.decoration(text, cursor))
    return decoration
  }

  func handleChange() { ask(.change) }

  private func ask(_ question: Question) {
    self.question = question
    asked.signal()
    answered.wait()
  }
}
