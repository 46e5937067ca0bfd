import Testing

@Suite struct LessonSiteProcessTests {
  @Test func aFolderOfSomethingElseIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write("notes.txt", "mine")
    let result = try dsshell("-c", "lessons site \(folder.path)")
    #expect(result.status == 1 && result.output == "")
    #expect(result.errors.contains("error: `\(folder.path)` has `notes.txt`, which is not a page"))
  }

  @Test func theMissingLibraryIsNamedWithItsPackage() throws {
    let folder = try TemporaryFolder()
    // The linker finds this file first, and it is not a library.
    try folder.write("libmd4c.so.0", "")
    let result = try dsshell(
      "-c", "lessons site \(folder.path)/pages", environment: ["LD_LIBRARY_PATH": folder.path])
    #expect(result.status == 1 && result.output == "")
    #expect(
      result.errors.contains(
        "pages of lessons need the library libmd4c (Debian's package libmd4c0, which `Scripts/setup` "
          + "installs): "))
    // The list of lessons needs no library.
    let list = try dsshell("-c", "lessons", environment: ["LD_LIBRARY_PATH": folder.path])
    #expect(list.status == 0 && list.output.contains("Index paths"))
  }
}
