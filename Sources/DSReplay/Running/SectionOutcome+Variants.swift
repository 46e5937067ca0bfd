import DisplayText

// Results of scripts that run several times.
extension SectionOutcome {
  /// The section with the file and the engine of its run in its title and in those of its failures.
  func named(in variant: ScriptVariant) -> SectionOutcome {
    guard let name = variant.name else { return self }
    var section = self
    for index in section.failures.indices {
      guard let header = section.failures[index].picture.first, header.hasPrefix("FAIL ") else {
        continue
      }
      // The failure of an attached script may be in a section with a title, or in one without.
      let separator = header.contains(" › ") ? ", " : " › "
      section.failures[index].picture[0] = header + separator + name.escapingControls()
    }
    section.title = variant.title(of: title)
    return section
  }
}

extension SourceCoverage {
  /// The coverage with the file and the engine of its run.
  func named(in variant: ScriptVariant) -> SourceCoverage {
    var coverage = self
    coverage.name = variant.title(of: name) ?? name
    return coverage
  }
}

extension FileOutcome {
  /// Keeps a correction only if it corrects all runs, and only once: a correction for one of them
  /// would be wrong for the others.
  /// - Parameters:
  ///   - runs: the number of runs of the script.
  ///   - tested: the number of runs that a filter selects.
  mutating func keepCommonCorrections(runs: Int, tested: Int) {
    let failures = failures.filter { $0.correction != nil }
    let byLine = Dictionary(grouping: failures, by: \.line)
    var kept: Set<Int> = []
    for section in sections.indices {
      for index in sections[section].failures.indices {
        let failure = sections[section].failures[index]
        guard let correction = failure.correction else { continue }
        let same = byLine[failure.line] ?? []
        if same.count == runs, same.allSatisfy({ $0.correction == correction }) {
          // The others have nothing to correct then.
          if !kept.insert(failure.line).inserted {
            sections[section].failures[index].correction = Correction()
          }
        } else {
          sections[section].failures[index].refuseCorrection(
            tested < runs
              ? "not all runs of the script were tested; omit --filter and --exclude"
              : "the output differs between the runs of the script")
        }
      }
    }
  }
}

extension CommandFailure {
  fileprivate mutating func refuseCorrection(_ reason: String) {
    correction = nil
    message += "; " + reason
    guard let last = picture.last, let accept = last.firstRange(of: "     accept ") else { return }
    picture[picture.count - 1] = String(last[..<accept.lowerBound])
  }
}
