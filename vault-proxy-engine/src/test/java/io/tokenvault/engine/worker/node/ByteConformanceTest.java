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
  private static final String MAJOR = "v20.";

  private static Stream<String> ofNode() {
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
  @MethodSource("ofNode")
  @ValueSource(strings = "here")
  void scriptProducesRecordedResults(String name) {
    NodeScript script = new NodeScript(name);

    assertThat(script.resultsHere()).containsExactlyElementsOf(script.resultsKept());
  }

  @ParameterizedTest
  @MethodSource("ofNode")
  void nodeProducesRecordedResults(String name) {
    Optional<String> version = Node.version();
    assumeTrue(
        version.isPresent() && version.get().startsWith(MAJOR),
        "Node.js %sx is missing (found: %s): install it from nodejs.org"
            .formatted(MAJOR, version.orElse("none")));
    NodeScript script = new NodeScript(name);

    assertThat(script.resultsInNode()).containsExactlyElementsOf(script.resultsKept());
  }
}
