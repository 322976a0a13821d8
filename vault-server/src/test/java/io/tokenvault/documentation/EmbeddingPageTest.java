package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.server.Http;
import io.tokenvault.server.Vault;
import io.tokenvault.server.config.ConfigurationException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that {@code docs/embedding.md} quotes compiled code and the actual error message. */
final class EmbeddingPageTest {

  private static final String PAGE = Pages.read(Pages.DOCS.resolve("embedding.md"));
  private static final Pattern QUOTE = Pattern.compile("(?ms)^```java\n(.*?)^```$");

  @Test
  void samplesOfRunningVaultAreInCompiledExample() {
    Path example = Path.of("plain-host", "src", "main", "java", "example", "host", "AllParts.java");
    String source =
        Pages.withoutIndents(Pages.read(Pages.DOCS.resolve("examples").resolve(example)));
    String section = PAGE.replaceAll("(?s)^.*(\n## Run a vault\n.*?)\n## .*$", "$1");

    List<String> quotes =
        QUOTE
            .matcher(section)
            .results()
            .map(quote -> Pages.withoutIndents(quote.group(1)))
            .toList();

    assertThat(quotes).hasSize(2).allSatisfy(quote -> assertThat(source).contains(quote));
  }

  @Test
  void messageAboutMissingPartsIsDocumented() {
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> Vault.builder().http(Http.on("0.0.0.0", 8080)).start());

    assertThat(PAGE).contains("```text\n" + refused.getMessage() + "\n```");
  }
}
