import DSInterpreter
import Glibc

/// The script that the prompt runs at its start.
///
/// Scripts, `-c`, pipes and tests do not read it, so that they mean the same for every user.
enum Configuration {
  /// `dsshell/config.ds` in `XDG_CONFIG_HOME`, else in `~/.config`; nil if neither that variable nor
  /// `HOME` is set.
  static var path: String? {
    let folder = Environment["XDG_CONFIG_HOME"] ?? Environment["HOME"].map { $0 + "/.config" }
    return folder.map { $0 + "/dsshell/config.ds" }
  }

  /// The script; nil if there is none.
  static func read() throws(ScriptError) -> Script? {
    guard let path else { return nil }
    do {
      return try Script.read(path)
    } catch .unreadable(_, ENOENT), .unreadable(_, ENOTDIR) {
      return nil
    }
  }
}

/// The data and lessons that come with dsshell.
enum BundledData {
  /// The folder `Scripts`, which contains the folder `data`: in the sources of dsshell or, for a
  /// program that was installed, in `share/dsshell` beside its folder; nil if there is neither.
  static var folder: String? {
    var bytes: [CChar] = Array(repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0 else { return nil }
    var path = FilePath.folder(
      of: String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self))
    while path != "/" && !path.isEmpty {
      for folder in [path + "/share/dsshell/Scripts", path + "/Scripts"]
      where access(folder + "/data/foods.csv", R_OK) == 0 {
        return folder
      }
      path = FilePath.folder(of: path)
    }
    return nil
  }

  /// The folder of the lessons, beside the folder `Scripts`, which their paths lead to.
  static func lessons(beside scripts: String) -> String {
    FilePath.folder(of: scripts) + "/Lessons"
  }
}
