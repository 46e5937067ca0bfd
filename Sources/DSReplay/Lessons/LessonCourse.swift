import DSInterpreter
import DataSources
import DataTables

/// The lessons of a folder, in the order of their file names.
package struct LessonCourse {
  /// The noun for a lesson in the declarations of commands.
  package static let noun = "lesson"

  let lessons: [Entry]

  struct Entry {
    /// Counted from 1.
    let number: Int
    /// The name of its file: `02-index-paths.md`.
    let file: String
    let script: ReplayScript
    let lesson: Lesson

    var name: String { LessonCourse.name(of: file) }
  }

  /// - Throws: ``Diagnostic`` without a course, and if a lesson cannot be read.
  init(of session: Session) throws {
    guard let folder = session.options.lessonsFolder, let names = Folder.readNames(in: folder)
    else {
      throw Diagnostic(
        .notFound, "the lessons are not beside this program; name a file: lesson FILE.md")
    }
    var lessons: [Entry] = []
    for name in names.sorted() where Lesson.isLesson(folder + "/" + name) {
      let (script, lesson) = try Self.read(folder + "/" + name, in: session)
      lessons.append(
        Entry(number: lessons.count + 1, file: name, script: script, lesson: lesson))
    }
    self.lessons = lessons
  }

  /// The names of the lessons, without reading more of them than their first directive.
  package static func names(in folder: String) -> [String] {
    Folder.names(in: folder).sorted().filter { Lesson.isLesson(folder + "/" + $0) }
      .map(name(of:))
  }

  /// The name without number and ending: `index-paths`.
  private static func name(of file: String) -> String {
    let stem = file.split(separator: ".").first ?? ""
    return String(stem.drop { $0.isNumber || $0 == "-" })
  }

  /// The lesson with a number, a name or a title.
  func lesson(_ word: String) -> Entry? {
    lessons.first {
      $0.number == Int(word) || $0.name == word || $0.file == word
        || $0.lesson.title.lowercased() == word.lowercased()
    }
  }

  /// - Throws: ``Diagnostic`` for a file that cannot be read, does not parse, or is not a lesson.
  static func read(_ path: String, in session: Session) throws -> (ReplayScript, Lesson) {
    let script = ReplayScript(
      try TextFile.read(path, cancellation: session.cancellation), path: path,
      commands: session.commands)
    if let mistake = script.mistakes.first { throw mistake }
    guard let lesson = script.lesson else {
      throw Diagnostic(
        .badArgument, "`\(path)` has no `#% lesson \"TITLE\"`, so it is not a lesson")
    }
    return (script, lesson)
  }
}

extension ReplayScript {
  /// Identifies the text of an exercise of a lesson, so that progress ends with a change of the text.
  func digest(of exercise: Lesson.Exercise) -> String {
    let next = lesson?.parts.first { $0.line > exercise.line }?.line ?? source.numberOfLines + 1
    var digest = FileDigest()
    digest.add(
      Array(
        source.bytes[
          source.line(exercise.line).lowerBound..<source.line(next - 1).upperBound]))
    return String(digest.digest, radix: 16)
  }
}
