package io.tokenvault.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Renders the Helm chart. */
final class HelmChart {

  static final Path DIRECTORY = Path.of("..", "packaging", "helm");

  /** The earliest version that the chart supports. */
  private static final String KUBERNETES = "1.30";

  /** The required values of the chart, for a trusted network. */
  static final Map<String, String> REQUIRED =
      Map.of(
          "database.url", "jdbc:postgresql://db.internal/vault",
          "database.existingSecret", "vault-database",
          "masterKeyset.existingSecret", "vault-keyset",
          "plainHttp", "true",
          "transforms.isolation", "preferred");

  private HelmChart() {}

  static LintResult lint() {
    return new Helm(DIRECTORY).lint().strict().call();
  }

  /**
   * Returns the Kubernetes objects.
   *
   * @throws IllegalStateException if Helm rejects the values
   */
  static List<JsonNode> render(Map<String, String> values) {
    TemplateCommand template =
        new Helm(DIRECTORY)
            .template()
            .withName("vault")
            .withNamespace("tokens")
            .withKubeVersion(KUBERNETES)
            .withValuesFile(Path.of("src/test/resources/io/tokenvault/packaging/values.yaml"));
    values.forEach(template::set);
    try (MappingIterator<JsonNode> objects =
        new YAMLMapper().readerFor(JsonNode.class).readValues(template.call())) {
      return objects.readAll().stream().filter(each -> !each.isNull()).toList();
    } catch (IOException invalid) {
      throw new UncheckedIOException(invalid);
    }
  }
}
