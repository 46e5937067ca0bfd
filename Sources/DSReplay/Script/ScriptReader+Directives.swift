import DSInterpreter

// Directives, and the sections that they begin.
extension ScriptReader {
  mutating func read(directive text: String, at line: Int, _ span: Span) {
    let directive: Directive
    do throws(Directive.Mistake) {
      directive = try Directive(parsing: text)
    } catch {
      script.mistakes.append(
        Diagnostic(.syntax, error.message, suggestion: error.suggestion, at: span))
      return
    }
    if case .section(let title) = directive {
      beginSection(title, at: line)
    } else if isUnderCommand, directive.canHoldForCommand, var command = script.commands.popLast() {
      command.setting.apply(directive, line: line)
      command.lastLine = line
      script.commands.append(command)
    } else {
      settings.apply(directive, line: line)
      if directive.isStep {
        script.steps.append(
          ReplayScript.Step(directive: directive, line: line, command: script.commands.count))
      }
    }
  }

  mutating func beginSection(_ title: String, at line: Int) {
    closeSection()
    let place = script.commands.count
    script.sections.append(
      ReplayScript.Section(title: title, line: line, commands: place..<place))
    settings.beginSection()
    isUnderCommand = false
  }

  mutating func closeSection() {
    guard var section = script.sections.popLast() else { return }
    section.commands = section.commands.lowerBound..<script.commands.count
    script.sections.append(section)
  }
}
