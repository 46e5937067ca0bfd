import Glibc
import Testing

/// Data on standard input: `load -`.
struct StandardInputTests {
  @Test func aScriptWithoutAnEndIsAnError() throws {
    let folder = try TemporaryFolder()
    let process = try ShellProcess(
      ["-"], environment: [:],
      streams: [
        .file("/dev/zero", flags: O_RDONLY), .file("/dev/null", flags: O_WRONLY),
        .file(folder.path + "/errors", flags: O_WRONLY | O_CREAT | O_TRUNC),
      ])
    #expect(process.wait() != 0)
    let errors = try folder.read("errors")
    #expect(errors == "error: `stdin` is larger than 64 MiB, the limit of a script\n")
  }

  @Test func standardInputIsLoaded() throws {
    let result = try dsshell(
      "-c", "load -; objects stdin; fetch stdin; count stdin", input: "a,b\n1,x\n")
    #expect(
      result.output
        == "stdin: 1 object, 2 keys (a integer, b string), CSV, UTF-8\na  b\n1  x\n"
        + "stdin: 1 section, 1 object\n1\n")
    #expect(result.errors == "")
  }

  @Test func theContentDecidesTheFormat() throws {
    let result = try dsshell(
      "-c", "load -; print (object stdin [0, 1]).COMMAND",
      input: """
        USER       PID COMMAND
        root         1 systemd
        ann         90 vim notes.txt
        root         2 kthreadd
        bo           7 sh

        """)
    #expect(result.output.hasPrefix("stdin: 4 objects, 3 keys"))
    #expect(result.output.hasSuffix("\nvim notes.txt\n"))
  }

  @Test func emptyInputIsAnError() throws {
    let result = try dsshell("-c", "load -")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("error: standard input is empty\n"))
  }

  @Test func theCommandsAreNotData() throws {
    let result = try dsshell("-", input: "load -\n")
    #expect(result.status == 1)
    #expect(result.errors.contains("standard input has the commands, so `load -` cannot read it"))
  }

  @Test(arguments: [
    ("watch s", "warning: s is not observed, because a pipe is read only once"),
    ("watch s poll: 2s", "and s is a pipe, which is read only once; load a file"),
    ("wait s timeout: 1s", "and s is a pipe, which is read only once"),
    ("let w = sectioned s key: a | fetch; watch w poll: 2s", "s is a pipe"),
  ])
  func aPipeIsNotObserved(command: String, message: String) throws {
    let result = try dsshell("-c", "let s = load -; \(command)", input: "a,b\n1,x\n")
    #expect(result.errors.contains(message))
    #expect(!result.errors.contains("fetch s"))
  }
}
