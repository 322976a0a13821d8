package io.tokenvault.engine.worker.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.engine.Node;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that buffers, text encoding and crypto behave as in Node.js. The recorded results are those
 * of Node.js 20; other major versions word some errors differently.
 */
class ByteConformanceTest {
  private static final String NODE_MAJOR = "v20.";

  private static Stream<String> scripts() {
    return Stream.of(
        "buffer-create",
        "buffer-text",
        "buffer-bytes",
        "buffer-numbers",
        "text-coding",
        "crypto-hashes",
        "crypto-random",
        "crypto-ciphers",
        "crypto-keys");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  @ValueSource(strings = "here")
  void scriptProducesRecordedResults(String name) {
    ConformanceScript script = new ConformanceScript(name);

    assertThat(script.runInRhino()).containsExactlyElementsOf(script.recordedResults());
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void nodeProducesRecordedResults(String name) {
    Optional<String> version = Node.version();
    assumeTrue(
        version.isPresent() && version.get().startsWith(NODE_MAJOR),
        "Node.js %sx is missing (found: %s): install it from nodejs.org"
            .formatted(NODE_MAJOR, version.orElse("none")));
    ConformanceScript script = new ConformanceScript(name);

    assertThat(script.runInNode()).containsExactlyElementsOf(script.recordedResults());
  }
}
