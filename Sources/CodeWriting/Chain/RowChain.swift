import DataSources
import DataTables

/// A chain whose sources all show rows of one type: what code without the library can compute.
struct RowChain {
  let chain: SourceChain
  /// The shape of the rows.
  let shape: ValueShape
  /// The name of the rows in the session, such as `foods`.
  let plural: String

  /// - Throws: ``CodeRefusal`` for a chain that makes rows of another type.
  init(_ chain: SourceChain) throws(CodeRefusal) {
    self.chain = chain
    for source in chain.sources {
      switch source.form {
      case .unroll, .columns:
        throw CodeRefusal(
          "\(source.name) makes rows with other keys, for which plain code has no short form",
          use: "library")
      default: break
      }
    }
    shape = chain.data.reduce(ValueShape()) { $0.merged(chain.sources[$1].shape) }
    plural = chain.data.count == 1 ? chain.sources[chain.data[0]].name : "rows"
  }

  /// Whether the top has sections of its own; false for a flat list.
  var hasSections: Bool {
    var haveSections: [Bool] = []
    for source in chain.sources {
      let below = source.children.contains { haveSections[$0] }
      haveSections.append(source.form.hasSections(over: below))
    }
    return haveSections.last ?? false
  }

  /// The sections of the localized indexed collation that the top shows; nil for other sections.
  enum Collation {
    case all
    /// Those that have rows.
    case shown
  }

  var collation: Collation? {
    var isWhole = true
    var source = chain.top
    while true {
      switch source.form.operation {
      case .request(let request, _):
        switch request.sections {
        case .split(_, let mode, let settings):
          guard mode.name == SectionMode.collated.name else { return nil }
          return isWhole && settings.showsEmpty ? .all : .shown
        case .kept(let showsEmpty): isWhole = isWhole && showsEmpty
        case .whole: return nil
        }
      case .none: break
      case .data, .join, .unroll, .columns: return nil
      }
      guard let child = source.children.first else { return nil }
      source = chain.sources[child]
    }
  }

  /// Whether sections of the session's list may be hidden, although they have index titles.
  var hidesTitledSections: Bool {
    chain.sources.contains { source in
      guard case .request(let request, _) = source.form.operation,
        case .split(_, let mode, let settings) = request.sections
      else { return false }
      return mode.name == SectionMode.fixed.name && !settings.showsEmpty
    }
  }

  /// The titles of the index are made from the titles of the sections by this rule; nil for a list
  /// without an index.
  var indexTitles: IndexTitles? {
    for source in chain.sources.reversed() {
      if case .request(_, let titles?) = source.form.operation { return titles }
    }
    return nil
  }

  /// A comment on index titles that the code of a screen does not have; nil if it has them.
  ///
  /// - Parameter madeTitles: the rules that the code has, besides a list.
  func indexComment(madeTitles: [IndexTitles]) -> String? {
    guard hasSections, let titles = indexTitles, !madeTitles.contains(titles) else { return nil }
    switch titles {
    case .firstCharacter:
      return "The session's index titles are the first characters of the titles."
    case .initials: return "The session's index titles are the initials of the titles."
    case .keyPath(let path):
      return "The session's index titles are `\(path)` of the first row of each section."
    case .list(let list) where hidesTitledSections:
      return "The session's index titles are \(list.joined(separator: ", ")), with those of hidden "
        + "sections."
    case .list: return nil
    }
  }

  /// The key path that identifies rows, of the source nearest to the top.
  var id: ObjectKeyPath? { chain.sources.reversed().lazy.compactMap(\.id).first }
}

extension SourceForm {
  /// - Parameter below: whether the source below has sections.
  fileprivate func hasSections(over below: Bool) -> Bool {
    switch operation {
    case .join: true
    case .none: below
    case .request(let request, _):
      switch request.sections {
      case .split: true
      case .kept: below
      case .whole: false
      }
    case .data, .unroll, .columns: false
    }
  }
}
