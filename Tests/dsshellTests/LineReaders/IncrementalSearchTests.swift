import Testing

@testable import dsshell

@Suite struct IncrementalSearchTests {
  @Test func theNewestEntryWithThePatternIsFound() {
    var search = IncrementalSearch(["load a", "print é1", "load b", "print 2"])
    #expect(search.match == nil)
    search.search(for: "o")
    #expect(search.match?.entry == "load b")
    #expect(search.match?.range == 1..<2)
    search.showEarlier()
    #expect(search.match?.entry == "load a")
    search.showEarlier()
    #expect(!search.isFound && search.match?.entry == "load a")
    search.showLater()
    #expect(search.isFound && search.match?.entry == "load b")
    search.restart(for: "1")
    #expect(search.match?.range == 8..<9)
  }

  @Test func aLongerPatternIsSearchedFromTheShownEntry() {
    var search = IncrementalSearch(["print 12", "print 1", "load"])
    search.search(for: "print")
    #expect(search.match?.entry == "print 1")
    search.search(for: "print 12")
    #expect(search.match?.entry == "print 12")
    search.search(for: "print 123")
    #expect(!search.isFound && search.match?.entry == "print 12")
  }
}
