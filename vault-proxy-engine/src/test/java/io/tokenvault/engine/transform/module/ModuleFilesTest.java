package io.tokenvault.engine.transform.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ModuleFilesTest {

  @TempDir static Path shared;

  private static ModuleFiles files;

  @TempDir Path folder;

  @BeforeAll
  static void writeFiles() throws IOException {
    Map<String, String> content = new HashMap<>();
    for (String empty :
        List.of(
            "plain.js", "folder/index.js",
            "folder/deep/other.js", "twice.js",
            "twice/index.js", "pack/lib/main.js",
            "pack/lib/index.js", "pack/node_modules/inner/index.js",
            "node_modules/@scope/one/lib/index.js", "node_modules/broken/index.js",
            "node_modules/shared/index.js", "node_modules/exporting/node.js",
            "node_modules/exporting/default.js", "node_modules/exporting/unused.js",
            "node_modules/exporting/lib/sub.js", "node_modules/exporting/lib/private/x.js",
            "node_modules/only/only.js", "node_modules/client/web.js",
            "node_modules/able/web.js", "node_modules/mapped/index.js",
            "node_modules/mapped/none.js", "node_modules/dual/web.cjs",
            "node_modules/both/a.cjs", "node_modules/both/a.mjs",
            "node_modules/modern/web.mjs", "node_modules/typed/index.js",
            "node_modules/unnamed/web.js", "node_modules/process/web.js",
            "node_modules/es/inner.mjs", "node_modules/es/old.cjs")) {
      content.put(empty, "");
    }
    content.put("data.json", "{}");
    content.put("pack/package.json", "{\"main\": \"./lib/main\"}");
    content.put("node_modules/@scope/one/package.json", "{\"main\": \"lib\"}");
    content.put("node_modules/broken/package.json", "{");
    content.put(
        "node_modules/exporting/package.json",
        """
        {"name": "exporting", "main": "./unused.js", "exports": {
          ".": {"import": "./main.mjs", "node": {"import": "./node.mjs", "require": "./node.js"},
                "default": "./default.js"},
          "./sub": [{"browser": "./no.js"}, {"import": "./no.js", "default": "./lib/sub.js"}],
          "./features/*": "./lib/*.js",
          "./features/private/*": null,
          "./package.json": "./package.json"},
         "imports": {"#inner": "./lib/sub.js", "#shared": "shared"}}
        """);
    content.put("node_modules/only/package.json", "{\"exports\": \"./only.js\"}");
    content.put("node_modules/client/package.json", "{\"main\": \"node\", \"browser\": \"web\"}");
    content.put("node_modules/client/node.js", "require('./lib/send')");
    content.put("node_modules/client/lib/send.js", "var http = require(\"https\");");
    content.put("node_modules/able/package.json", "{\"main\": \"a\", \"browser\": \"web\"}");
    content.put("node_modules/able/a.js", "require('crypto')");
    content.put("node_modules/unnamed/package.json", "{\"browser\": \"web\"}");
    content.put("node_modules/unnamed/index.js", "require('fs')");
    content.put("node_modules/process/package.json", "{\"main\": \"a\", \"browser\": \"web\"}");
    content.put("node_modules/process/a.js", "module.exports = global.process;");
    content.put(
        "node_modules/mapped/package.json",
        "{\"browser\": {\"./fs.js\": \"./none.js\", \"fs\": false, \"./hash.js\": \"./none.js\","
            + " \"absent\": \"shared\"}}");
    content.put("node_modules/mapped/fs.js", "require('node:fs')");
    content.put("node_modules/mapped/hash.js", "require('crypto')");
    content.put(
        "node_modules/dual/package.json",
        """
        {"exports": {".": {"browser": {"require": "./web.cjs", "default": "./web.js"},
          "default": {"require": "./node.cjs", "default": "./index.js"}}}}
        """);
    content.put("node_modules/dual/node.cjs", "require('http')");
    content.put("node_modules/page/package.json", "{\"main\": \"node\", \"browser\": \"web\"}");
    content.put("node_modules/page/node.js", "require('fs')");
    content.put("node_modules/page/web.js", "module.exports = window.FormData;");
    content.put("node_modules/partial/package.json", "{\"main\": \"node\", \"browser\": \"web\"}");
    content.put("node_modules/partial/node.js", "require('fs')");
    content.put("node_modules/partial/web.js", "exports.load = Symbol.for(\"node-only\");");
    content.put("node_modules/canvas/package.json", "{\"main\": \"node\", \"browser\": \"web\"}");
    content.put("node_modules/canvas/node.js", "require('fs')");
    content.put("node_modules/canvas/web.js", "exports.draw = require('./draw');");
    content.put("node_modules/canvas/draw.js", "document.createElement('canvas')");
    content.put(
        "node_modules/es/package.json",
        """
        {"imports": {"#inner": {"import": "./inner.mjs"},
            "#kind": {"require": "./old.cjs", "import": "./inner.mjs"}, "#both": "both"},
          "exports": {"types": "./es.d.ts", "browser": "./web.mjs", "import": "./es.mjs"}}
        """);
    content.put(
        "node_modules/both/package.json",
        "{\"exports\": {\"require\": \"./a.cjs\", \"import\": \"./a.mjs\"}}");
    content.put(
        "node_modules/modern/package.json",
        "{\"exports\": {\"browser\": \"./web.mjs\", \"require\": \"./node.cjs\"}}");
    content.put("node_modules/modern/node.cjs", "require('http')");
    content.put("node_modules/typed/package.json", "{\"type\": \"module\"}");
    content.put("node_modules/es/es.mjs", "import { connect } from 'node:net';");
    content.put("node_modules/es/web.mjs", "");
    content.put(
        "node_modules/ring/package.json",
        "{\"browser\": {\"./a.js\": \"./web.js\", \"./b.js\": \"./web.js\"}}");
    content.put("node_modules/ring/a.js", "require('./b'); require('./files');");
    content.put("node_modules/ring/b.js", "require('./a');");
    content.put("node_modules/ring/files.js", "require('fs');");
    content.put("node_modules/ring/web.js", "");
    files = ModuleFolders.write(shared, content);
  }

  @ParameterizedTest
  @CsvSource({
    "'', plain, plain.js",
    "'', plain.js, plain.js",
    "'', data, data.json",
    "'', data.json, data.json",
    "'', folder, folder/index.js",
    "'', folder/deep/other, folder/deep/other.js",
    "'', twice, twice.js",
    "'', pack, pack/lib/main.js",
    "'', pack/lib, pack/lib/index.js",
    "'', @scope/one, node_modules/@scope/one/lib/index.js",
    "'', broken, node_modules/broken/index.js",
    "'', shared, node_modules/shared/index.js",
    "folder/index.js, ./deep/other, folder/deep/other.js",
    "folder/index.js, ., folder/index.js",
    "folder/index.js, ./, folder/index.js",
    "folder/deep/other.js, .., folder/index.js",
    "folder/deep/other.js, .././index.js, folder/index.js",
    "folder/deep/other.js, ../../plain, plain.js",
    "folder/deep/other.js, ../../twice/, twice/index.js",
    "pack/lib/main.js, ./.., pack/lib/main.js",
    "pack/lib/main.js, inner, pack/node_modules/inner/index.js",
    "pack/lib/main.js, shared, node_modules/shared/index.js",
    "pack/lib/main.js, plain, plain.js",
    "'', only, node_modules/only/only.js",
    "node_modules/exporting/node.js, #shared, node_modules/shared/index.js",
    "'', exporting, node_modules/exporting/node.js",
    "'', exporting/sub, node_modules/exporting/lib/sub.js",
    "'', exporting/features/sub, node_modules/exporting/lib/sub.js",
    "'', exporting/package.json, node_modules/exporting/package.json",
    "node_modules/exporting/node.js, exporting/sub, node_modules/exporting/lib/sub.js",
    "node_modules/exporting/node.js, #inner, node_modules/exporting/lib/sub.js",
    "node_modules/exporting/node.js, ./unused, node_modules/exporting/unused.js",
    "'', both, node_modules/both/a.cjs",
    "plain.js, both, node_modules/both/a.cjs",
    "node_modules/es/es.mjs, both, node_modules/both/a.mjs",
    "node_modules/typed/index.js, both, node_modules/both/a.mjs"
  })
  void namesResolveAsInNode(String from, String name, String id) {
    assertThat(files.resolve(from, name)).contains(id);
  }

  @ParameterizedTest
  @CsvSource({
    "'', inner",
    "'', nothing",
    "'', .",
    "'', ./plain",
    "'', ../plain",
    "'', folder/deep",
    "'', /plain",
    "'', #inner",
    "'', exporting/unused",
    "'', exporting/unused.js",
    "'', exporting/features/private/x",
    "'', only/only.js",
    "folder/index.js, ../../plain",
    "folder/index.js, ./nothing",
    "plain.js, ../plain"
  })
  void nameNotInFolderIsUnresolved(String from, String name) {
    assertThat(files.resolve(from, name)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', client, node_modules/client/web.js",
    "'', able, node_modules/able/a.js",
    "'', unnamed, node_modules/unnamed/web.js",
    "'', process/, node_modules/process/web.js",
    "'', dual, node_modules/dual/web.cjs",
    "'', es, node_modules/es/web.mjs",
    "node_modules/es/web.mjs, #inner, node_modules/es/inner.mjs",
    "node_modules/es/web.mjs, #kind, node_modules/es/inner.mjs",
    "node_modules/es/old.cjs, #kind, node_modules/es/old.cjs",
    "node_modules/es/web.mjs, #both, node_modules/both/a.mjs",
    "node_modules/es/old.cjs, #both, node_modules/both/a.cjs",
    "'', page, node_modules/page/node.js",
    "'', partial, node_modules/partial/node.js",
    "'', canvas, node_modules/canvas/node.js",
    "'', modern, node_modules/modern/node.cjs",
    "'', ring/a, node_modules/ring/web.js",
    "'', ring/b, node_modules/ring/web.js",
    "node_modules/mapped/index.js, ./fs, node_modules/mapped/none.js",
    "node_modules/mapped/index.js, ./hash, node_modules/mapped/hash.js",
    "node_modules/mapped/index.js, fs, (empty)",
    "node_modules/mapped/index.js, absent, node_modules/shared/index.js"
  })
  void browserVariantReplacesModuleThatNeedsFilesOrSockets(String from, String name, String id) {
    assertThat(files.resolve(from, name)).contains(id);
  }

  @Test
  void browserVariantDoesNotDependOnOrder() {
    ModuleFiles fresh = ModuleFiles.of(shared);

    assertThat(fresh.resolve("", "ring/b")).contains("node_modules/ring/web.js");
    assertThat(fresh.resolve("", "ring/a")).contains("node_modules/ring/web.js");
  }

  @Test
  void namesAreThoseOfModulesAndPackages() {
    assertThat(files.names())
        .containsExactly(
            ("@scope/one able both broken canvas client data.json dual es exporting"
                    + " folder mapped modern only pack page partial plain.js process ring shared"
                    + " twice twice.js typed unnamed")
                .split(" "));
  }

  @Test
  void sourceIsTextWithoutByteOrderMark() throws IOException {
    Files.writeString(folder.resolve("a.js"), "\ufeffexports.a = '\u00e9';");

    assertThat(ModuleFiles.of(folder).source("a.js")).isEqualTo("exports.a = '\u00e9';");
  }

  @Test
  void unusableFileIsNamed() throws IOException {
    Files.write(folder.resolve("bytes.js"), new byte[] {(byte) 0xff});
    Files.write(folder.resolve("large.js"), new byte[ModuleFiles.MAX_SIZE + 1]);
    ModuleFiles opened = ModuleFiles.of(folder);

    assertThatThrownBy(() -> opened.source("bytes.js"))
        .isInstanceOf(UnusableModuleException.class)
        .hasMessage("bytes.js is not UTF-8");
    assertThatThrownBy(() -> opened.source("large.js")).hasMessageStartingWith("large.js has more");
  }

  @Test
  void linksAreFollowedWithinFolderOnly() throws IOException {
    Files.writeString(folder.resolve("secret.json"), "{}");
    Path modules = Files.createDirectories(folder.resolve("modules"));
    Path store = Files.createDirectories(modules.resolve("store/a/node_modules/b"));
    Files.writeString(store.resolve("index.js"), "");
    Files.writeString(modules.resolve("store/a/index.js"), "");
    Files.createDirectory(modules.resolve("node_modules"));
    Files.createSymbolicLink(modules.resolve("node_modules/a"), modules.resolve("store/a"));
    Files.createSymbolicLink(modules.resolve("key.json"), folder.resolve("secret.json"));
    ModuleFiles opened = ModuleFiles.of(modules);

    assertThat(opened.resolve("", "a")).contains("store/a/index.js");
    assertThat(opened.resolve("store/a/index.js", "b")).contains("store/a/node_modules/b/index.js");
    assertThat(opened.resolve("", "key.json")).contains("key.json");
    assertThatThrownBy(() -> opened.source("key.json"))
        .hasMessage("key.json is a link out of the folder of modules");
  }

  @Test
  void invalidPackageDescriptionIsIgnored() throws IOException {
    Path bytes = Files.createDirectories(folder.resolve("node_modules/bytes"));
    Files.write(bytes.resolve("package.json"), new byte[] {(byte) 0xff});
    Files.writeString(bytes.resolve("index.js"), "");

    assertThat(ModuleFiles.of(folder).resolve("", "bytes")).contains("node_modules/bytes/index.js");
  }

  @Test
  void namesOmitOnlyFilesOfNpm() throws IOException {
    ModuleFiles files =
        ModuleFolders.write(
            folder,
            Map.of("package.json", "{}", "package-lock.json", "{}", "packages.js", "", "a.js", ""));

    assertThat(files.names()).containsExactly("a.js", "packages.js");
  }

  @Test
  void changeAfterFirstReadIsNoticed() throws IOException {
    ModuleFiles files = ModuleFolders.write(folder, Map.of("a.js", "1"));
    assertThat(files.source("a.js")).isEqualTo("1");
    assertThat(files.isChanged()).isFalse();

    Files.writeString(folder.resolve("a.js"), "12");
    assertThat(files.source("a.js")).isEqualTo("12");

    assertThat(files.isChanged()).isTrue();
  }

  @Test
  void addedPackageOfScopeIsNoticed() throws IOException {
    ModuleFiles files = ModuleFolders.write(folder, Map.of("node_modules/@scope/a/index.js", ""));
    Path scope = folder.resolve("node_modules/@scope");
    Files.setLastModifiedTime(scope, FileTime.fromMillis(0));
    assertThat(files.names()).containsExactly("@scope/a");
    assertThat(files.isChanged()).isFalse();

    Files.createDirectory(scope.resolve("b"));

    assertThat(files.isChanged()).isTrue();
  }

  @Test
  void changedTargetOfFolderLinkIsNoticed() throws IOException {
    Path old = Files.createDirectory(folder.resolve("old"));
    Path next = Files.createDirectory(folder.resolve("next"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), old);
    ModuleFiles files = ModuleFiles.of(link);
    assertThat(files.isChanged()).isFalse();

    Files.delete(link);
    assertThat(files.isChanged()).isTrue();
    Files.createSymbolicLink(link, next);
    assertThat(files.isChanged()).isTrue();
  }

  @Test
  void missingFolderIsRejected() {
    assertThatThrownBy(() -> ModuleFiles.of(folder.resolve("nothing")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot be read");
  }

  @Test
  void noFolderHasNoModules() {
    assertThat(ModuleFiles.none().resolve("", "plain")).isEmpty();
    assertThat(ModuleFiles.none().names()).isEmpty();
  }
}
