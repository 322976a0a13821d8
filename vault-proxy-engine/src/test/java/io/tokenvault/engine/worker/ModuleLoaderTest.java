package io.tokenvault.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker.Bundle;
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
  void functionIsFoundWhereItIsExported(String export) {
    String code = "function f() { return {body: 'here'}; } " + export;
    assertThat(Sandbox.json(sandbox.run(code))).isEqualTo("here");
    assertThat(sandbox.probe(code).outcome()).isInstanceOf(Outcome.Returned.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "module.exports = {};", "module.exports = 5;", "exports.f = eval;"})
  void nonFunctionExportIsReportedSeparately(String code) {
    assertThat(sandbox.run(code)).isEqualTo(failed(Failing.NO_FUNCTION, Position.UNKNOWN));
    assertThat(sandbox.probe(code).outcome())
        .isEqualTo(failed(Failing.NO_FUNCTION, Position.UNKNOWN));
  }

  @Test
  void probeCallsNothing() {
    assertThat(sandbox.probe("module.exports = function () { say('called'); };").console())
        .isEmpty();
  }

  @Test
  void errorOfTheEngineBeforeTheExportIsNotLoaded() {
    assertThat(sandbox.run("\nnull.x;")).isEqualTo(failed(Failing.NOT_LOADED, new Position("", 2)));
  }

  @Test
  void moduleRunsOnce() {
    Bundle bundle =
        bundle(
            "var a = require('./a'), b = require('a');"
                + "module.exports = function () { return {body: [a.n, b.n, a === b]}; };",
            Map.of("./a", "lib/a.js", "a", "lib/a.js"),
            Map.of(
                "lib/a.js",
                new Program("globalThis.n = (globalThis.n || 0) + 1; exports.n = n;", Map.of())));
    assertThat(json(bundle)).isEqualTo("[1,1,true]");
  }

  @Test
  void cycleSeesWhatIsExportedSoFar() {
    Bundle bundle =
        bundle(
            "module.exports = function () { return {body: require('./a')}; };",
            Map.of("./a", "a.js"),
            Map.of(
                "a.js",
                new Program(
                    "exports.early = 1; exports.b = require('./b').seen; exports.late = 2;",
                    Map.of("./b", "b.js")),
                "b.js",
                new Program("exports.seen = Object.keys(require('./a'));", Map.of("./a", "a.js"))));
    assertThat(json(bundle)).isEqualTo("{\"early\":1,\"b\":[\"early\"],\"late\":2}");
  }

  @Test
  void moduleOfJsonIsItsValue() {
    Bundle bundle =
        bundle(
            "module.exports = function () { return {body: require('./a.json').list}; };",
            Map.of("./a.json", "a.json"),
            Map.of("a.json", new Program("{\"list\": [1, null]}", Map.of())));
    assertThat(json(bundle)).isEqualTo("[1,null]");
  }

  @Test
  void moduleThatIsNotThereIsAnErrorThatNamesThoseThatAre() {
    Bundle bundle =
        bundle(
            "module.exports = function () { try { require('fs'); } catch (e) {"
                + " return {body: e.code + ' ' + e.message}; } };",
            Map.of("./a", "a.js"),
            Map.of("a.js", new Program("", Map.of())));
    assertThat(json(bundle)).startsWith("MODULE_NOT_FOUND ").contains("./a").doesNotContain("fs");
  }

  @Test
  void errorInModuleIsReportedWithItsPosition() {
    Bundle bundle =
        bundle(
            "module.exports = require('./a');",
            Map.of("./a", "lib/a.js"),
            Map.of(
                "lib/a.js", new Program("module.exports = function () {\n null.x; };", Map.of())));
    assertThat(sandbox.run(bundle, Sandbox.LIMITS, BodyKind.NONE, "").outcome())
        .isEqualTo(failed(Failing.ENGINE_ERROR, new Position("lib/a.js", 2)));
  }

  private static Outcome failed(Failing failing, Position position) {
    return new Outcome.Failed(failing, position);
  }

  private static Bundle bundle(
      String entry, Map<String, String> resolutions, Map<String, Program> modules) {
    return new Bundle(new Program(entry, resolutions), modules);
  }

  private String json(Bundle bundle) {
    return Sandbox.json(sandbox.run(bundle, Sandbox.LIMITS, BodyKind.NONE, "").outcome());
  }
}
