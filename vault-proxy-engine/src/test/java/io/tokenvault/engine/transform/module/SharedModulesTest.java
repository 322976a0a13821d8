package io.tokenvault.engine.transform.module;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.module.OperatorModules.ModuleReport;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.memory.FakeFieldCipher;
import io.tokenvault.ports.memory.FakeKeyWrapper;
import io.tokenvault.ports.memory.InMemoryCompiledModules;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import io.tokenvault.ports.runtime.TransformRuntime.ModuleStatus;
import io.tokenvault.ports.store.CompiledModuleStore;
import io.tokenvault.ports.usecase.proxy.CompiledModules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests operator modules in worker processes, with a cache that several nodes share. */
@Timeout(300)
final class SharedModulesTest {

  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir private Path folder;

  private final InMemoryCompiledModules store = new InMemoryCompiledModules();

  private WorkerTransforms node() {
    Limits limits = new Limits(60_000, 120_000, 1L << 40, 1L << 32, 1 << 20, 10);
    WorkerTransforms node =
        new WorkerTransforms(
            new WorkerTransforms.Settings(
                PoolSettings.forCompiling(1).withLongWaits(),
                PoolSettings.forCompiling(1).withLongWaits(),
                limits,
                TIMEOUT,
                TIMEOUT,
                Optional.of(folder),
                List.of()));
    node.cacheModules(new CompiledModules(store, new FakeFieldCipher(), new FakeKeyWrapper()));
    return node;
  }

  private static void assertCompiles(WorkerTransforms node, String code) {
    assertThat(node.compile(new TenantId(UUID.randomUUID()), new TransformCode(code)))
        .isInstanceOf(Compilation.Compiled.class);
  }

  private static ModuleStatus awaitStatus(WorkerTransforms node, int modules)
      throws InterruptedException {
    ModuleStatus status = node.modules().orElseThrow();
    while (!status.complete() || status.compiled() + status.failed() < modules) {
      Thread.sleep(20);
      status = node.modules().orElseThrow();
    }
    return status;
  }

  @Tag("long")
  @Test
  void modulesAreCompiledInBackgroundOnceForAllNodesAndAgainAfterChange() throws Exception {
    ModuleFolders.write(
        folder,
        Map.of(
            "double.js", "module.exports = n => 2 * n;",
            "node_modules/pack/package.json", "{\"main\": \"lib\"}",
            "node_modules/pack/lib/index.js", "exports.n = require('./data.json').n;",
            "node_modules/pack/lib/data.json", "{\"n\": 5}",
            "broken.js", "module.exports = {"));
    try (WorkerTransforms first = node()) {
      first.startSpares();

      assertThat(awaitStatus(first, 4)).isEqualTo(new ModuleStatus(true, 3, 1));
      assertThat(store.saves()).isEqualTo(2);
    }
    try (WorkerTransforms second = node()) {
      assertCompiles(
          second,
          "const n = require('double')(require('pack').n);\n"
              + "if (n !== 10) throw new Error('wrong');\nmodule.exports = () => ({});");
      assertThat(store.saves()).as("nothing was compiled").isEqualTo(2);

      second.startSpares();
      awaitStatus(second, 4);
      Files.writeString(folder.resolve("double.js"), "module.exports = n => 3 * n + 0;");
      while (store.saves() < 3) {
        Thread.sleep(20);
      }
      assertCompiles(
          second,
          "if (require('double')(1) !== 3) throw new Error('old');\n"
              + "module.exports = () => ({});");
    }
  }

  @Tag("long")
  @Test
  void unreadableEntryIsCompiledAgain() throws IOException {
    ModuleFolders.write(folder, Map.of("one.js", "class A {}\nexports.A = A;"));
    String code = "require('one'); module.exports = () => ({});";
    try (WorkerTransforms node = node()) {
      assertCompiles(node, code);
    }
    String hash = store.modules().keySet().iterator().next();
    store
        .modules()
        .put(
            hash,
            new CompiledModuleStore.EncryptedModule(
                new FakeKeyWrapper().create(new TenantId(UUID.randomUUID()), KeyPurpose.DATA, 1),
                store.modules().get(hash).program()));

    try (WorkerTransforms node = node()) {
      assertCompiles(node, code);
    }
    assertThat(store.saves()).isEqualTo(2);
  }

  @Tag("long")
  @Test
  void checkReportsEachModuleAndPackage() throws IOException {
    ModuleFolders.write(
        folder,
        Map.of(
            "fine.js", "require('./other');",
            "other.js", "",
            "node_modules/files/index.js", "require('fs').readFileSync('x');",
            "node_modules/wrong/index.js", "\nvar = 1;",
            "node_modules/parts/part.js", ""));
    List<ModuleReport> reports = new ArrayList<>();
    try (WorkerTransforms node = node()) {
      node.checkModules(reports::add);
    }

    assertThat(reports)
        .extracting(ModuleReport::name)
        .containsExactly("files", "fine.js", "other.js", "parts", "wrong");
    assertThat(reports.get(0).problem().orElseThrow())
        .contains(
            "node_modules/files/index.js, line 1",
            "fs.readFileSync is not available in a transform");
    assertThat(reports.get(1)).isEqualTo(new ModuleReport("fine.js", 2, Optional.empty()));
    assertThat(reports.get(3)).isEqualTo(new ModuleReport("parts", 0, Optional.empty()));
    assertThat(reports.get(4).problem().orElseThrow()).contains("node_modules/wrong/index.js:2: ");
  }

  /** Expects the output of Node.js 20 for the same files. */
  @Tag("long")
  @Test
  void esModulesBehaveAsInNode() throws IOException {
    ModuleFolders.write(
        folder,
        Map.of(
            "node_modules/es/package.json",
            "{\"type\": \"module\", \"exports\": {\"import\": \"./main.js\"}}",
            "node_modules/es/main.js",
            """
            import plain, { add as sum } from './plain.cjs';
            import * as space from './plain.cjs';
            import crypto, { createHash } from 'node:crypto';
            import { up, count } from './cycle.js';
            export * from './all.js';
            export { default as again, one } from './all.js';
            export * as all from './all.js';
            export let n = 0;
            export const { a, ...rest } = { a: 1, b: 2 };
            export function inc() { n += 1; return n; }
            export default (x) => sum(x, 1);
            const base = { up: 1 };
            export const made = { ...rest, __proto__: base }, bare = { __proto__: null, ...rest };
            export class Kind { static of = () => this === undefined; }
            const require = 7;
            export const seen = [plain.add === sum, Object.keys(space), createHash === crypto.createHash,
              up(), count, require, import.meta.url.endsWith('main.js'), typeof module];
            export const later = async () => Object.keys(await import('./all.js'));
            export { n as 'a name' };
            """,
            "node_modules/es/all.js",
            "export default 'all'; export const one = 1, two = 2; export { one as n };",
            "node_modules/es/cycle.js",
            "import { inc } from './main.js'; export let count = 0;"
                + " export const up = () => { count++; return typeof inc; };",
            "node_modules/es/plain.cjs",
            "exports.add = function (x, y) { return this === undefined || this === globalThis"
                + " ? x + y : 'called with an object'; };",
            "await.mjs",
            "export const x = await 1;"));
    String code =
        """
        'use strict';
        const es = require('es'), toString = Object.prototype.toString;
        const seen = [Object.keys(es).sort(), es.__esModule, toString.call(es), es.default(4), es.default.name,
          es.n, es.inc(), es.n, es['a name'], es.rest, es.again, es.one, es.two, es.all.n, es.Kind.name, es.seen,
          es.made, es.made.up, es.bare.b, Object.getPrototypeOf(es.bare)];
        try { es.n = 5; } catch (e) { seen.push(e.name); }
        seen.push(es.n);
        try { require('await.mjs'); } catch (e) { seen.push(e.message.includes('await')); }
        module.exports = () => ({});
        if (JSON.stringify(seen) !== %s) throw new Error(JSON.stringify(seen));
        """;
    String expected =
        "[[\"Kind\",\"__esModule\",\"a\",\"a name\",\"again\",\"all\",\"bare\",\"default\",\"inc\",\"later\",\"made\",\"n\","
            + "\"one\",\"rest\",\"seen\",\"two\"],true,\"[object Module]\",5,\"default\",0,1,1,1,{\"b\":2},"
            + "\"all\",1,2,1,\"Kind\",[true,[\"add\",\"default\"],true,\"function\",1,7,true,\"undefined\"],{\"b\":2},1,2,null,"
            + "\"TypeError\",1,true]";
    try (WorkerTransforms node = node()) {
      assertCompiles(node, code.formatted("'" + expected + "'"));
    }
  }

  /** Expects the output of Node.js 20 for the same files. */
  @Tag("long")
  @Test
  void esModulesMayDeclareNamesUsedByTheirConversion() throws IOException {
    ModuleFolders.write(
        folder,
        Map.of(
            "main.mjs",
            """
            import tagged, { log } from './tagged.cjs';
            export * from './first.mjs';
            import './second.mjs';
            export { toString, constructor } from './first.mjs';
            import { basename } from 'node:path';
            const __filename = basename(import.meta.url), _meta = 1, _imported = 2;
            export const Object = 1, Symbol = 2, Promise = 3;
            export const later = (require) => import('./first' + '.mjs');
            export default () => 4;
            export const process = 5, list = [() => 6];
            export class Map {}
            export const seen = [tagged.default, log, __filename, typeof __dirname, import.meta === import.meta,
              [this, (() => this)()], (function () { return this.x; }).call({ x: 5 }), _meta, _imported];
            """,
            "tagged.cjs",
            "exports.log = ['tagged']; exports.default = 'd';"
                + " Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });",
            "first.mjs",
            "import { log } from './tagged.cjs'; log.push('first'); function toString() { return 't'; }"
                + " const constructor = 'c'; export { toString, constructor };",
            "second.mjs",
            "import { log } from './tagged.cjs'; import { constructor } from './main.mjs';"
                + " log.push('second', constructor);",
            "load.js",
            "var Object = 1, Promise = 2; exports.later = (name) => import(name);"));
    String code =
        """
        const m = require('main.mjs'), load = require('load.js');
        const seen = JSON.stringify([m.seen, m.toString(), m.constructor, m.Object, m.Symbol, m.Promise, m.default.name, m.process, m.list[0].name, Object.keys(m).sort(),
          typeof m.later().then, typeof load.later('./first.mjs').then]);
        if (seen !== %s) throw new Error(seen);
        module.exports = () => ({});
        """;
    String expected =
        "[[\"d\",[\"tagged\",\"first\",\"second\",\"c\"],\"main.mjs\",\"undefined\",true,[null,null],5,1,2],"
            + "\"t\",\"c\",1,2,3,\"default\",5,\"\",[\"Map\",\"Object\",\"Promise\",\"Symbol\",\"__esModule\",\"constructor\",\"default\",\"later\",\"list\","
            + "\"process\",\"seen\",\"toString\"],\"function\",\"function\"]";
    try (WorkerTransforms node = node()) {
      assertCompiles(node, code.formatted("'" + expected + "'"));
    }
  }
}
