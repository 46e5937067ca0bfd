import Testing

@testable import DataTables

@Suite struct FreeKeysTests {
  @Test func namesInUseGetANumber() {
    var free = FreeKeys(besides: ["a", "b_2"])
    #expect(
      ["a", "b", "b", "b", "a", "c"].map { free.take($0) } == [
        "a_2", "b", "b_3", "b_4", "a_3", "c",
      ])
  }
}
