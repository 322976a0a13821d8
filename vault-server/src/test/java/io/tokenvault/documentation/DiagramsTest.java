package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each diagram was drawn from its current source and is on a page. */
final class DiagramsTest {

  private static final Path IMAGES = Pages.DOCS.resolve("images");
  private static final Path SOURCES = IMAGES.resolve("src");

  static List<String> diagrams() {
    return Pages.inDocs(".dot").stream()
        .map(source -> source.getFileName().toString().replaceFirst("\\.dot$", ""))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("diagrams")
  void imageWasDrawnFromCurrentSource(String diagram) throws Exception {
    String source = diagram + ".dot";
    assertThat(Pages.read(IMAGES.resolve(diagram + ".svg")))
        .as("%s is older than its source: run npm ci and npm run build in docs/images/src", diagram)
        .contains("from src/" + source + ", " + hash(source))
        .contains("prefers-color-scheme: dark");
  }

  @ParameterizedTest
  @MethodSource("diagrams")
  void imageIsOnPageWithAlternativeText(String diagram) {
    String shown = "(?s).*!\\[[^\\]]{20,}\\]\\([^)]*images/" + diagram + "\\.svg\\).*";
    assertThat(Pages.all()).anyMatch(page -> Pages.read(page).matches(shown));
  }

  @Test
  void diagramsIncludeExpectedNames() {
    assertThat(diagrams()).contains("modules", "request", "keys", "log");
  }

  private static String hash(String source) throws IOException, NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (String name : List.of(source, "style.css", "render.mjs")) {
      digest.update(Files.readAllBytes(SOURCES.resolve(name)));
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
