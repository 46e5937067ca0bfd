import DataSources
import DataTables

/// The effect of a kind of source on the objects of its children, which code without the library
/// performs.
enum SourceOperation {
  /// The objects come from the app's data, reduced by a predicate.
  case data(where: Predicate?)
  case request(ContentRequest, indexTitles: IndexTitles?)
  case join(preservesSections: Bool)
  case unroll(ObjectKeyPath, keepsEmpty: Bool)
  case columns([ProjectedTable.Column])
  /// The objects are shown as they are, with the reason why an app needs no code for it.
  case none(String)
}

extension SourceForm {
  var operation: SourceOperation {
    switch self {
    case .simple(_, let predicate): .data(where: predicate)
    case .file(let file): .data(where: file.predicate)
    case .remote, .table: .data(where: nil)
    case .sectioned(let form): .request(form.request, indexTitles: form.indexTitles)
    case .collated(let form): .request(form.request, indexTitles: form.indexTitles)
    case .organized(let form): .request(form.request, indexTitles: form.indexTitles)
    case .multi(let preserves): .join(preservesSections: preserves)
    case .filtered(let predicate, let showsEmpty):
      .request(
        ContentRequest(where: predicate, sections: .kept(showsEmpty: showsEmpty)), indexTitles: nil)
    case .fetchedResults(let request):
      .request(request.contentRequest, indexTitles: request.indexTitles)
    case .distinct(let keys): .request(ContentRequest(distinct: keys), indexTitles: nil)
    case .limit(let limit, let offset):
      .request(ContentRequest(offset: offset, limit: limit), indexTitles: nil)
    case .top(let limit, let sort):
      .request(ContentRequest(sort: sort, limit: limit, sections: .whole), indexTitles: nil)
    case .unroll(let path, let keepsEmpty): .unroll(path, keepsEmpty: keepsEmpty)
    case .columns(let columns): .columns(columns)
    case .slow: .none("The session delays fetches here, for a test.")
    case .faulty: .none("The session lets fetches fail here, for a test.")
    case .stale: .none("The session keeps the content of the first fetch here, for a test.")
    }
  }
}

extension SectionRequest {
  fileprivate static func by(
    _ key: ObjectKeyPath?, _ mode: SectionMode, _ settings: SectionSettings
  ) -> SectionRequest {
    key.map { .split(by: $0, mode, settings) } ?? .whole
  }
}

extension FetchRequest {
  /// The request without its name and its batches.
  var contentRequest: ContentRequest {
    ContentRequest(
      where: predicate, distinct: distinct, sort: sort, offset: offset, limit: limit,
      sections: .by(section, .strict, SectionSettings()))
  }
}

extension SectionedForm {
  var request: ContentRequest {
    let implied = sort.isEmpty ? key.map { mode.sort(by: $0, settings) } ?? [] : sort
    return ContentRequest(where: predicate, sort: implied, sections: .by(key, mode, settings))
  }
}

extension CollatedForm {
  var request: ContentRequest {
    let implied = sort.isEmpty ? SectionMode.collated.sort(by: key, settings) : sort
    return ContentRequest(sort: implied, sections: .split(by: key, .collated, settings))
  }
}

extension OrganizedForm {
  var request: ContentRequest {
    let key = key ?? sort.first?.keyPath ?? ObjectKeyPath(key: "SELF")
    var settings = SectionSettings()
    settings.zone = zone
    settings.order = GroupOrder(.title, comparison: .localizedCaseInsensitive, locale: locale)
    let mode: SectionMode = style == .alphabetically ? .groups : .organizedMonths
    return ContentRequest(
      sort: (sort.isEmpty ? [SortDescriptor(key)] : sort) + initial,
      sections: .split(by: key, mode, settings))
  }
}
