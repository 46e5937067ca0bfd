// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The tests read and sort millions of cells. Where Scripts/check sets the variable, the tables are
/// optimized in a debug build too, with its assertions and checks of bounds. Unsafe flags would keep
/// other packages from using this one.
let tableSettings: [SwiftSetting] =
  Context.environment["DSSHELL_OPTIMIZED_TABLES"] != "1"
  ? settings
  : settings + [
    .unsafeFlags(
      // Several threads write a file of objects for each source, which the package manager expects.
      ["-O", "-assert-config", "Debug", "-whole-module-optimization", "-num-threads", "2"],
      .when(configuration: .debug))
  ]

/// The program of `Scripts/fuzz`, which sets the variable: libFuzzer has its `main` function.
let fuzzer: [Target] =
  Context.environment["DSSHELL_FUZZ"] != "1"
  ? []
  : [
    .executableTarget(
      name: "Fuzzer", dependencies: ["FuzzTargets"], path: "Tests/Fuzzer",
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
  ]

let package = Package(
  name: "dsshell",
  products: [
    .executable(name: "dsshell", targets: ["dsshell"]),
    .library(name: "DataSources", targets: ["DataSources"]),
    .library(name: "DataCompression", targets: ["DataCompression"]),
    .library(name: "DocumentFormats", targets: ["DocumentFormats"]),
    .library(
      name: "Databases",
      targets: ["Databases", "SQLiteDatabase", "PostgreSQLDatabase", "ClickHouseDatabase"]),
    .library(name: "DataTables", targets: ["DataTables"]),
    .library(name: "HTTPTransport", targets: ["HTTPTransport"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    // For the page of `serve`, and for the test server.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // The layers, from the bottom up: each may import only targets above it in this list. Drivers of
    // databases belong in targets of their own next to HTTPTransport.
    .target(name: "CScan"),
    .target(name: "CCurl"),
    .target(name: "CMD4C"),
    .target(name: "CPostgreSQL"),
    .target(name: "CZstd"),
    .target(name: "CXML"),
    // Without `pkgConfig:`, whose folder of libraries would come before those of Scripts/build.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "DataTables", dependencies: ["CScan"], swiftSettings: tableSettings,
      // Foundation's ICU: no import links it.
      linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
    .target(name: "DisplayText", dependencies: ["DataTables"], swiftSettings: settings),
    .target(name: "Pictures", dependencies: ["DisplayText"], swiftSettings: settings),
    .target(name: "DataSources", dependencies: ["DataTables"], swiftSettings: settings),
    .target(
      name: "DataCompression", dependencies: ["DataTables", "CZlib", "CZstd"],
      swiftSettings: settings),
    .target(
      name: "DocumentFormats",
      dependencies: [
        "DataCompression", "DataTables", "CXML",
        // For its module CYaml: the events of libyaml.
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .target(
      name: "HTTPTransport", dependencies: ["DataCompression", "DataSources", "CCurl"],
      swiftSettings: settings),
    .target(
      name: "Databases", dependencies: ["DataSources", "DataTables"], swiftSettings: settings),
    .target(
      name: "PostgreSQLDatabase",
      dependencies: ["Databases", "DataSources", "DataTables", "CPostgreSQL"],
      swiftSettings: settings),
    .target(
      name: "ClickHouseDatabase", dependencies: ["Databases", "DataSources", "DataTables"],
      swiftSettings: settings),
    .target(
      name: "SQLiteDatabase",
      dependencies: [
        "Databases", "DataSources", "DataTables",
        .product(name: "GRDB", package: "GRDB.swift"),
        // For SQLite's C functions.
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "CodeWriting", dependencies: ["DataSources", "DataTables"], swiftSettings: settings),
    .target(
      name: "DSInterpreter",
      dependencies: [
        "CodeWriting", "DataCompression", "DataSources", "Databases", "DocumentFormats",
        "DataTables", "ClickHouseDatabase", "Pictures", "PostgreSQLDatabase", "SQLiteDatabase",
      ],
      swiftSettings: settings),
    .target(
      name: "DSRendering",
      dependencies: ["DSInterpreter", "DataSources", "DataTables", "DisplayText", "Pictures"],
      swiftSettings: settings),
    .target(
      name: "DSReplay",
      dependencies: [
        "DSRendering", "DSInterpreter", "DataSources", "Databases", "DataTables", "DisplayText",
        "Pictures", "CMD4C",
      ],
      // Embedded, because the program is moved without its folder of resources.
      resources: [.embedInCode("LessonSite/site.css")], swiftSettings: settings),
    .target(
      name: "DSServing",
      dependencies: [
        "DSRendering", "DSInterpreter", "DataSources", "DataTables", "DisplayText", "Pictures",
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      // Embedded, because the program is moved without its folder of resources.
      resources: [.embedInCode("Page")], swiftSettings: settings),
    .systemLibrary(name: "CEdit", providers: [.apt(["libedit-dev"])]),
    .target(name: "CMemory"),
    .executableTarget(
      name: "dsshell",
      dependencies: [
        "CEdit", "CMemory", "DSReplay", "DSServing", "DSRendering", "DSInterpreter",
        "HTTPTransport", "DataSources", "DataTables", "DisplayText",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),

    // Servers on 127.0.0.1 for tests that send requests.
    .target(
      name: "TestServer", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")],
      path: "Tests/TestServer", swiftSettings: settings),
    // Code that the tests of several modules share.
    .target(
      name: "TestSupport", dependencies: ["DataTables"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .target(
      name: "DatabaseTestSupport", dependencies: ["Databases", "DataSources", "DataTables"],
      path: "Tests/DatabaseTestSupport", swiftSettings: settings),
    // The readers that accept any input, for tests and for the fuzzer.
    .target(
      name: "FuzzTargets",
      dependencies: ["DSReplay", "DSInterpreter", "Databases", "DataSources", "DataTables"],
      path: "Tests/FuzzTargets", exclude: ["Corpus"], swiftSettings: settings),
    // The promises of stores, which the tests of each kind of store check.
    .target(
      name: "StoreContract", dependencies: ["DataSources", "DataTables"],
      path: "Tests/StoreContract", swiftSettings: settings),
    .testTarget(
      name: "DataTablesTests", dependencies: ["DataTables", "CScan", "TestSupport"],
      exclude: ["Data"],
      swiftSettings: settings),
    .testTarget(
      name: "DisplayTextTests", dependencies: ["DisplayText"], swiftSettings: settings),
    .testTarget(
      name: "PicturesTests", dependencies: ["DisplayText", "Pictures", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "DataSourcesTests",
      dependencies: ["DataSources", "DataTables", "StoreContract", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "DataCompressionTests",
      dependencies: ["DataCompression", "DataTables", "CZlib", "TestSupport"],
      exclude: ["Data"], swiftSettings: settings),
    .testTarget(
      name: "DocumentFormatsTests",
      dependencies: ["DocumentFormats", "CXML", "DataTables", "TestSupport"],
      exclude: ["Data"], swiftSettings: settings),
    .testTarget(
      name: "HTTPTransportTests", dependencies: ["HTTPTransport", "DataSources", "TestServer"],
      swiftSettings: settings),
    .testTarget(
      name: "PostgreSQLDatabaseTests",
      dependencies: [
        "PostgreSQLDatabase", "Databases", "DataSources", "DataTables", "TestSupport",
        "DatabaseTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DatabasesTests",
      dependencies: [
        "Databases", "SQLiteDatabase", "PostgreSQLDatabase", "ClickHouseDatabase", "DataSources",
        "DataTables", "HTTPTransport", "TestSupport", "DatabaseTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SQLiteDatabaseTests",
      dependencies: [
        "SQLiteDatabase", "Databases", "DataSources", "DataTables", "StoreContract", "TestSupport",
        "DatabaseTestSupport",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ClickHouseDatabaseTests",
      dependencies: [
        "ClickHouseDatabase", "Databases", "DataSources", "DataTables", "HTTPTransport",
        "TestServer", "TestSupport", "DatabaseTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CodeWritingTests", dependencies: ["CodeWriting", "DataTables"], exclude: ["Data"],
      swiftSettings: settings),
    // Code that the shell wrote: it compiles, and its tests pass, with the public interface alone.
    .testTarget(
      name: "GeneratedCodeTests",
      dependencies: [
        "Databases", "DataSources", "DataTables", "HTTPTransport", "SQLiteDatabase",
      ],
      packageAccess: false, swiftSettings: settings),
    // Uses only the public interface of the libraries, as an app does.
    .testTarget(
      name: "LibraryTests", dependencies: ["DataSources", "DataTables"], packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "DSInterpreterTests",
      dependencies: [
        "DSReplay", "DSRendering", "DSInterpreter", "Databases", "DataSources", "DataTables",
        "Pictures",
        "HTTPTransport", "TestServer", "TestSupport",
      ],
      exclude: ["Scripts"], swiftSettings: settings),
    .testTarget(
      name: "DSRenderingTests",
      dependencies: ["DSRendering", "DSInterpreter", "DataSources", "DataTables", "DisplayText"],
      swiftSettings: settings),
    .testTarget(
      name: "DSReplayTests",
      dependencies: ["DSReplay", "DSRendering", "DSInterpreter", "DataSources", "DataTables"],
      exclude: ["Scripts"], swiftSettings: settings),
    .testTarget(
      name: "DSServingTests",
      dependencies: [
        "DSServing", "DSInterpreter", "DataSources", "DataTables", "TestSupport",
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      exclude: ["Scripts"], swiftSettings: settings),
    .testTarget(
      name: "FuzzTargetTests", dependencies: ["FuzzTargets", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "dsshellTests",
      dependencies: [
        "dsshell", "DSReplay", "DSInterpreter", "DataSources", "DataTables", "DisplayText",
        "TestServer", "TestSupport",
      ],
      exclude: ["Faults"], swiftSettings: settings),
  ] + fuzzer
)
