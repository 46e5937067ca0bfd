import DSInterpreter
import DataSources
import DataTables
import Glibc

/// The progress of a learner in one exercise.
struct ExerciseProgress: Equatable {
  enum State: String { case open, solved, skipped }
  var state = State.open
  /// The answers that were wrong.
  var tries = 0
  /// The hints that were shown.
  var hints = 0
}

/// The progress of a learner in the exercises of all lessons.
///
/// It is read from the file before each change and written after it, so that two shells keep the
/// progress of both. While it cannot be written, the session keeps it.
struct LessonProgress {
  fileprivate struct Entry {
    let digest: String
    let progress: ExerciseProgress
  }

  /// By lesson and title of the exercise.
  private var entries: [String: Entry] = [:]
  /// The entries of the file that have another form, which are written again as they are.
  private var others: [(key: String, value: Value)] = []
  private let courseFolder: String?

  /// The progress of the learner at a session.
  /// - Throws: ``Diagnostic`` for a file that cannot be read, or that has other content.
  init(of session: Session) throws {
    if let kept = session.attachments[Self.self] {
      self = kept
      return
    }
    courseFolder = session.options.lessonsFolder
    guard let path = session.options.lessonProgressFile, access(path, F_OK) == 0 else { return }
    let text = try TextFile.read(path, cancellation: session.cancellation)
    guard case .record(let record)? = try? Value(json: text) else {
      throw Diagnostic(
        .io, "`\(path)` is not the progress of lessons; remove it to begin anew")
    }
    for (key, value) in zip(record.keys, record.values) {
      if let entry = Entry(value) {
        entries[key] = entry
      } else {
        others.append((key, value))
      }
    }
  }

  /// A lesson of the course is identified by its name, so that the progress stays with a copy of the
  /// course; any other file by its path.
  private func key(_ exercise: Lesson.Exercise, _ script: ReplayScript) -> String {
    let isOfCourse = FilePath.folder(of: script.path) == courseFolder
    let file = isOfCourse ? script.path.split(separator: "/").last.map(String.init) : script.path
    return (file ?? script.path) + "/" + exercise.title
  }

  /// The progress in an exercise; none if its text has changed since.
  subscript(exercise: Lesson.Exercise, script: ReplayScript) -> ExerciseProgress {
    let known = entries[key(exercise, script)]
    guard let known, known.digest == script.digest(of: exercise) else { return ExerciseProgress() }
    return known.progress
  }

  /// Whether the learner worked on an earlier text of an exercise.
  func isOutdated(_ exercise: Lesson.Exercise, _ script: ReplayScript) -> Bool {
    entries[key(exercise, script)].map { $0.digest != script.digest(of: exercise) } ?? false
  }

  /// Changes the progress of the learner in an exercise.
  ///
  /// - Returns: the progress, and a warning if it could not be written for the first time.
  /// - Throws: ``Diagnostic`` if the file cannot be read.
  @discardableResult
  static func update(
    _ exercise: Lesson.Exercise, _ script: ReplayScript, in session: inout Session,
    _ change: (inout ExerciseProgress) -> Void
  ) throws -> (progress: ExerciseProgress, warnings: [String]) {
    var changed = ExerciseProgress()
    let warnings = try update(in: &session) { all in
      changed = all[exercise, script]
      change(&changed)
      all.entries[all.key(exercise, script)] = Entry(
        digest: script.digest(of: exercise), progress: changed)
    }
    return (changed, warnings)
  }

  /// Forgets all progress.
  /// - Returns: a warning if that could not be written.
  static func removeAll(in session: inout Session) throws -> [String] {
    try update(in: &session) { $0.entries = [:] }
  }

  private static func update(
    in session: inout Session, _ change: (inout LessonProgress) -> Void
  ) throws -> [String] {
    guard let path = session.options.lessonProgressFile, session.attachments[Self.self] == nil
    else {
      var all = try LessonProgress(of: session)
      change(&all)
      session.attachments[Self.self] = all
      return []
    }
    let folder = FilePath.folder(of: path)
    Folder.make(folder)
    // Without the lock, the last shell that writes wins.
    let lock = FileLock.waiting(for: folder)
    defer { lock?.release() }
    var all = try LessonProgress(of: session)
    change(&all)
    do throws(UpdateError) {
      try ReplacedFile.write(all.json, to: path)
      return []
    } catch {
      session.attachments[Self.self] = all
      return ["the progress is kept in memory only: \(error.message)"]
    }
  }

  private var json: String {
    let all = entries.map { (key: $0.key, value: $0.value.value) } + others
    let sorted = all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return Value.record(Record(sorted)).json + "\n"
  }
}

extension LessonProgress.Entry {
  /// The greatest plausible number of wrong answers or hints.
  private static let mostCounted = 1_000_000

  /// - Returns: nil for a value of another form.
  fileprivate init?(_ value: Value) {
    guard case .record(let fields) = value, case .string(let digest)? = fields["digest"],
      case .string(let word)? = fields["state"], let state = ExerciseProgress.State(rawValue: word),
      case .integer(let tries)? = fields["tries"], (0...Self.mostCounted).contains(tries),
      case .integer(let hints)? = fields["hints"], (0...Self.mostCounted).contains(hints)
    else { return nil }
    self.digest = digest
    progress = ExerciseProgress(state: state, tries: tries, hints: hints)
  }

  fileprivate var value: Value {
    .record(
      Record([
        ("digest", .string(digest)), ("state", .string(progress.state.rawValue)),
        ("tries", .integer(progress.tries)), ("hints", .integer(progress.hints)),
      ]))
  }
}
