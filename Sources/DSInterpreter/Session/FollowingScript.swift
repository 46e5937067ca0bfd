import DataTables

/// The lines that run after a command, as if they stood below it.
package enum FollowingScript {
  /// A file, as `source` reads it.
  case included(ScriptText)
  /// Texts and commands that are shown as they run.
  case played(PlayedScript)

  /// The folder in which its relative paths start.
  var folder: String {
    switch self {
    case .included(let script): FilePath.folder(of: script.file ?? "")
    case .played(let script): script.folder
    }
  }
}

/// Texts and commands that are shown one after another, each command with its output below it. A
/// command that fails does not end it.
package struct PlayedScript {
  package enum Step {
    /// Lines to read.
    case text([String])
    /// A command as it is shown, and the lines that it consists of.
    case command(String, [Line])
    /// A command that is not shown, nor is its output.
    case hidden([Line])
    /// Computes lines to read from what the commands above have bound.
    case computed((inout Session) async -> [String])
  }
  package let folder: String
  package let steps: [Step]
  /// Runs after the last step, also after one that was canceled.
  package let end: (inout Session) -> Void

  package init(
    folder: String, _ steps: [Step], end: @escaping (inout Session) -> Void = { _ in }
  ) {
    self.folder = folder
    self.steps = steps
    self.end = end
  }
}

extension ScriptExecution {
  /// The text before a command that is shown.
  private static let prompt = "ds> "

  func play(
    _ script: PlayedScript, in session: inout Session, handle: EventHandler
  ) async throws -> ExecutionOutcome {
    defer { script.end(&session) }
    for step in script.steps {
      let lines: [Line]
      var isHidden = false
      switch step {
      case .text(let text):
        try await handle(.output(Self.output(text)), session)
        continue
      case .computed(let compute):
        try await handle(.output(Self.output(await compute(&session))), session)
        continue
      case .command(let text, let parts):
        let shown = text.split(separator: "\n", omittingEmptySubsequences: false)
        try await handle(
          .output(Self.output(shown.enumerated().map { ($0 == 0 ? Self.prompt : "") + $1 })),
          session)
        lines = parts
      case .hidden(let parts):
        lines = parts
        isHidden = true
      }
      announce(lines)
      defer { retract() }
      for line in lines {
        let ending = try await execute(line, keepsGoing: true, in: &session) { event, session in
          if !isHidden { try await handle(event.withoutLocation, session) }
        }
        switch ending {
        case .done, .failed, .notParsed: continue
        case .quit, .cancelled: return ending
        }
      }
    }
    return .done
  }

  private static func output(_ lines: [String]) -> Output {
    lines.isEmpty
      ? .none : Output(.text(lines, data: .string(lines.map { $0 + "\n" }.joined())))
  }
}

extension ExecutionEvent {
  /// The event of a command that is shown above it: its file and line need not be named.
  fileprivate var withoutLocation: ExecutionEvent {
    guard case .failure(var diagnostic) = self else { return self }
    diagnostic.place?.file = nil
    diagnostic.place?.line = 1
    return .failure(diagnostic)
  }
}
