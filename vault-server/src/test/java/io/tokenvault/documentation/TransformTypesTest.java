package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tokenvault.engine.worker.compile.BuiltInModules;
import io.tokenvault.server.environment.ProgramRun;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the TypeScript compiler accepts the documented samples with transform.d.ts. */
@Tag("long")
final class TransformTypesTest {

  private static final Path STARTER = Path.of("src/main/resources/transform");
  private static final List<String> PAGES =
      List.of("transforms.md", "cli.md", "guides/reformat-a-request.md");

  /** A block of code, the content of a file, or the code of a proxy in a response. */
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(?m)^```js\n(?<block>(?s:.*?))```"
              + "|^cat > \\w+\\.js <<'END'\n(?<file>(?s:.*?))^END"
              + "|^```http\n20\\d (?:(?!```).*\n)*?.*\"code\": (?<json>\"(?:[^\"\\\\]|\\\\.)*\")");

  private static final String EXPORT = "module.exports = ";
  private static final String COMPILER_MISSING =
      "the TypeScript compiler is missing: run npm ci in vault-server/src/console,"
          + " or npm install --global typescript";

  @TempDir private Path folder;

  private static Stream<Path> compilers() {
    return Stream.concat(
            Stream.of("src/console/node_modules/.bin"),
            Stream.of(System.getenv("PATH").split(File.pathSeparator)))
        .map(directory -> Path.of(directory, "tsc").toAbsolutePath())
        .filter(Files::isExecutable);
  }

  @BeforeEach
  void copyTypes() throws IOException {
    for (String name : List.of("transform.d.ts", "jsconfig.json")) {
      Files.copy(STARTER.resolve(name), folder.resolve(name));
    }
  }

  private String compile() {
    Optional<Path> compiler = compilers().findFirst();
    assumeTrue(compiler.isPresent(), COMPILER_MISSING);
    String tsc = compiler.get().toString();
    ProgramRun run = ProgramRun.in(folder, Map.of(), tsc, "-p", "jsconfig.json");
    return run.exitCode() + " " + run.output();
  }

  private static List<String> samples() throws IOException {
    List<String> samples = new ArrayList<>();
    for (String page : PAGES) {
      Matcher found = SAMPLE.matcher(Files.readString(Path.of("../docs", page)));
      while (found.find()) {
        String json = found.group("json");
        String text = found.group("file") == null ? found.group("block") : found.group("file");
        samples.add(json == null ? text : new ObjectMapper().readValue(json, String.class));
      }
    }
    return samples;
  }

  @Test
  void samplesCompileAndMistakesAreReported() throws Exception {
    Files.copy(STARTER.resolve("charge.js"), folder.resolve("charge.js"));
    List<String> samples = samples();
    assertThat(samples).hasSizeGreaterThan(5);
    for (int i = 0; i < samples.size(); i++) {
      Files.writeString(
          folder.resolve("sample-" + i + ".js"),
          samples.get(i).replace(EXPORT, "/** @type {Transform} */\n" + EXPORT));
    }

    assertThat(compile()).isEqualTo("0 ");
    Files.writeString(
        folder.resolve("wrong.js"),
        "/** @type {Transform} */\nmodule.exports = async ({ args }) => {\n"
            + "  require('crypto').createHash(1);\n  process.exit();\n  return 5;\n};");
    assertThat(compile())
        .contains("wrong.js(3,", "Cannot find name 'process'")
        .doesNotContain("charge.js", "sample-");
  }

  @Test
  void everyBuiltInModuleIsDeclared() throws IOException {
    String types = Files.readString(STARTER.resolve("transform.d.ts"));

    for (String name : BuiltInModules.names(List.of())) {
      assertThat(types).contains("declare module '" + name + "' {");
    }
  }

  @Test
  void useOfBuiltInModulesCompiles() throws Exception {
    Files.writeString(
        folder.resolve("modules.js"),
        """
        const assert = require('node:assert');
        const { KeyObject, createHash, createSign, webcrypto } = require('crypto');
        const EventEmitter = require('events');
        const { once } = require('node:events');
        const { Readable, PassThrough } = require('stream');
        const { pipeline } = require('node:stream/promises');
        const { StringDecoder } = require('string_decoder');
        const path = require('path');
        const os = require('os');
        const zlib = require('zlib');
        const util = require('util');
        const https = require('https');
        const url = require('url');
        const { stdout } = require('node:process');
        const { setTimeout: wait } = require('timers/promises');
        /** @type {Transform} */
        module.exports = async ({ args }) => {
          assert.strictEqual(typeof args.body, 'object', 'a body is required');
          class Own extends EventEmitter {}
          const agent = new https.Agent({ keepAlive: true });
          await wait(5);
          require('process').on('exit', () => stdout.once('finish', () => {}).end('x', () => {}));
          url.format({ ...url.parse('https://a.test/?b', true), port: 443 });
          url.parse(url.format(new URL('https://a.test'))).pathname?.length;
          await pipeline(Readable.from(['a']), zlib.createGzip(), new PassThrough());
          const key = await webcrypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-1' }, true, ['sign']);
          const signer = createSign('SHA256').update('a');
          signer.end();
          createHash('sha256', {}).write(KeyObject.from(key).type);
          const form = new FormData();
          form.append('file', new Blob(['a'], { type: 'text/plain' }), 'a.txt');
          const moved = structuredClone(new ArrayBuffer(performance.now()), { transfer: [] });
          await fetch('https://a.test', { method: 'POST', body: form });
          const [first] = await once(new Own(), path.join('a', os.EOL));
          const text = new StringDecoder('utf8').write(await util.promisify(zlib.gunzip)(first));
          return { body: [agent, moved, text, zlib.gzipSync('x', { level: 9 }).toString('base64')] };
        };
        """);

    assertThat(compile()).isEqualTo("0 ");
  }
}
