package io.tokenvault.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker.Program;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModuleLoaderTest {

  private final Sandbox sandbox = new Sandbox();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "module.exports = f;",
        "exports.default = f;",
        "module.exports = {default: f};",
        "module.exports.default = f;"
      })
  void exportedFunctionIsFound(String export) {
    String code = "function f() { return {body: 'here'}; } " + export;
    assertThat(Sandbox.body(sandbox.run(code))).isEqualTo("here");
    assertThat(sandbox.probe(code).outcome()).isInstanceOf(Outcome.Returned.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "module.exports = {};", "module.exports = 5;", "exports.f = eval;"})
  void nonFunctionExportIsReportedSeparately(String code) {
    assertThat(sandbox.run(code)).isEqualTo(failed(FailureKind.NO_FUNCTION, Position.UNKNOWN));
    assertThat(sandbox.probe(code).outcome())
        .isEqualTo(failed(FailureKind.NO_FUNCTION, Position.UNKNOWN));
  }

  @Test
  void probeDoesNotCallFunction() {
    assertThat(sandbox.probe("module.exports = function () { say('called'); };").console())
        .isEmpty();
  }

  @Test
  void engineErrorBeforeExportIsReportedAsNotLoaded() {
    assertThat(sandbox.run("\nnull.x;"))
        .isEqualTo(failed(FailureKind.NOT_LOADED, new Position("", 2)));
  }

  @Test
  void moduleRunsOnce() {
    module("./a", "lib/a.js", "globalThis.n = (globalThis.n || 0) + 1; exports.n = n;");
    module("a", "lib/a.js", "");

    assertThat(exported("[require('./a').n, require('a').n, require('./a') === require('a')]"))
        .isEqualTo("[1,1,true]");
  }

  @Test
  void moduleIsRequestedOnceForAllInvocations() {
    module("a", "a.js", "exports.n = 1;");
    exported("require('a').n");

    assertThat(exported("require('a').n")).isEqualTo("1");
    assertThat(sandbox.sentCalls).containsExactly("require  a");
  }

  @Test
  void cyclicRequireSeesPartialExports() {
    module("./a", "a.js", "exports.early = 1; exports.b = require('./b').seen; exports.late = 2;");
    module("./b", "b.js", "exports.seen = Object.keys(require('./a'));");

    assertThat(exported("require('./a')")).isEqualTo("{\"early\":1,\"b\":[\"early\"],\"late\":2}");
  }

  @Test
  void jsonModuleIsItsValue() {
    module("./a.json", "a.json", "{\"list\": [1, null]}");

    assertThat(exported("require('./a.json').list")).isEqualTo("[1,null]");
  }

  @Test
  void moduleWithComputedNameIsFound() {
    module("./locale/de", "locale/de.js", "module.exports = 'Tag';");

    assertThat(exported("require('./locale/' + 'de')")).isEqualTo("Tag");
  }

  @Test
  void builtInModuleTakesPrecedence() {
    module("url", "node_modules/url/index.js", "module.exports = 'package';");

    assertThat(exported("typeof require('url').URL")).isEqualTo("function");
  }

  @Test
  void moduleHasItsPathInFolder() {
    module("a", "node_modules/a/index.js", "module.exports = [__filename, __dirname, module.id];");

    assertThat(exported("require('a').concat(__filename, __dirname)"))
        .isEqualTo(
            "[\"/node_modules/a/index.js\",\"/node_modules/a\",\"/node_modules/a/index.js\","
                + "\"/transform.js\",\"/\"]");
  }

  @Test
  void missingModuleThrowsNodeError() {
    module("a", "node_modules/a/index.js", "require(\"gone\");");

    assertThat(exported(caught("require(\"fs\")")))
        .isEqualTo("MODULE_NOT_FOUND Cannot find module 'fs'");
    assertThat(exported(caught("require('a')")))
        .isEqualTo(
            "MODULE_NOT_FOUND Cannot find module 'gone'\nRequire stack:\n- node_modules/a/index.js");
  }

  @Test
  void operatorModuleCanLoadButNotUseUnavailableModules() {
    module(
        "a",
        "a.js",
        "var fs = require('node:fs'); module.exports = [fs === require('fs'), typeof fs.readFile,"
            + " fs.promises === require('fs/promises'), require('worker_threads').isMainThread,"
            + " require('perf_hooks').performance === performance,"
            + " typeof fs.promises.readFile('a').catch(function () {}).then,"
            + caught("fs.readFileSync('/etc/passwd')")
            + ","
            + caught("new (require('net').Socket)()")
            + ","
            + caught("require('vm').runInThisContext('1')")
            + "];");

    assertThat(exported("require('a')"))
        .isEqualTo(
            "[true,\"function\",true,true,true,\"function\","
                + "\"ERR_FEATURE_UNAVAILABLE_ON_PLATFORM fs.readFileSync is not available in a"
                + " transform\",\"ERR_FEATURE_UNAVAILABLE_ON_PLATFORM net.Socket is not available in"
                + " a transform: use fetch\",\"ERR_FEATURE_UNAVAILABLE_ON_PLATFORM"
                + " vm.runInThisContext is not available in a transform\"]");
  }

  @Test
  void constantsAreThoseOfModules() {
    module(
        "a",
        "a.js",
        "var all = require('constants'); module.exports ="
            + " [all.ENOENT, all.SIGTERM, all.RSA_PKCS1_OAEP_PADDING, typeof all.O_SYMLINK];");

    assertThat(exported("require('a')")).isEqualTo("[2,15,4,\"undefined\"]");
  }

  @Test
  void operatorModuleCanMakeItsOwnRequire() {
    module("b", "node_modules/b/index.js", "module.exports = 'b';");
    module(
        "a",
        "node_modules/a/index.js",
        "var load = require('module').createRequire(require('url').pathToFileURL(__filename));"
            + " module.exports = [load('b'), load('fs') === require('fs')];");

    assertThat(exported("require('a')")).isEqualTo("[\"b\",true]");
  }

  @Test
  void folderModulePrecedesUnavailableModule() {
    module("fs", "(empty)", "module.exports = {};");
    module("a", "a.js", "module.exports = Object.keys(require('fs'));");

    assertThat(exported("require('a')")).isEqualTo("[]");
  }

  @Test
  void errorForComputedNameDoesNotQuoteIt() {
    assertThat(exported(caught("require('4111' + '1111')")))
        .isEqualTo("MODULE_NOT_FOUND Cannot find module");
  }

  private static String caught(String expression) {
    return "(function () { try { "
        + expression
        + " } catch (e) { return e.code + ' ' + e.message; } })()";
  }

  @Test
  void errorInModuleIsReportedWithItsPosition() {
    module("./a", "lib/a.js", "module.exports = function () {\n null.x; };");

    assertThat(sandbox.run("module.exports = require('./a');"))
        .isEqualTo(failed(FailureKind.ENGINE_ERROR, new Position("lib/a.js", 2)));
  }

  @Test
  void processExistsForOperatorModulesOnly() {
    module(
        "./a",
        "lib/a.js",
        "exports.seen = [process.version, typeof process.nextTick, process === require('process'),"
            + " typeof global.process];");

    assertThat(exported("[require('./a').seen, typeof process]"))
        .isEqualTo("[[\"v16.20.2\",\"function\",true,\"undefined\"],\"undefined\"]");
  }

  private static Outcome failed(FailureKind kind, Position position) {
    return new Outcome.Failed(kind, position);
  }

  private void module(String name, String id, String code) {
    sandbox.modules.put(name, new Program(id, code, Map.of()));
  }

  private String exported(String expression) {
    return Sandbox.body(
        sandbox.run("module.exports = function () { return {body: " + expression + "}; };"));
  }
}
