package io.tokenvault.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tokenvault.server.config.Setting;
import io.tokenvault.server.e2e.fixture.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the content of {@code compose.yaml} without running it. */
final class ComposeFileTest {

  private static final Path TOP = Path.of("..");

  @Test
  void everySettingOfTheFileExists() throws IOException {
    Set<String> known =
        Stream.of(Setting.values())
            .flatMap(each -> Stream.of(each.variable(), each.fileVariable()))
            .collect(Collectors.toSet());
    assertThat(Json.names(services().path("vault").path("environment")))
        .isNotEmpty()
        .isSubsetOf(known);
  }

  @Test
  void everyMountedFileExists() throws IOException {
    List<String> files =
        services().findValues("volumes").stream()
            .flatMap(Json::stream)
            .map(volume -> volume.asText().split(":")[0])
            .filter(source -> source.startsWith("./"))
            .toList();
    assertThat(files).hasSize(3).allSatisfy(file -> assertThat(TOP.resolve(file)).exists());
  }

  @Test
  void portsArePublishedOnThisMachineOnly() throws IOException {
    List<JsonNode> ports = services().findValues("ports");
    assertThat(ports).hasSize(1);
    assertThat(ports.get(0))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.asText()).startsWith("127.0.0.1:"));
  }

  private static JsonNode services() throws IOException {
    return new YAMLMapper().readTree(TOP.resolve("compose.yaml").toFile()).path("services");
  }
}
