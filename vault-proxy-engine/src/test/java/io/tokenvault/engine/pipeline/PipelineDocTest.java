package io.tokenvault.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PipelineDocTest {

  private static final Path PAGE = Path.of("../docs/architecture.md");
  private static final Path ENGINE = Path.of("src/main/java/io/tokenvault/engine/ProxyEngine.java");
  private static final Pattern LIST = Pattern.compile("`(\\w+(?: > \\w+)+)`");
  private static final Pattern STEP = Pattern.compile("\"(\\w+)\"");

  @Test
  void architecturePageListsStepsInOrder() throws IOException {
    assertThat(documentedSteps()).isEqualTo(engineSteps());
  }

  private static List<String> documentedSteps() throws IOException {
    return LIST.matcher(Files.readString(PAGE))
        .results()
        .flatMap(list -> Stream.of(list.group(1).split(" > ")))
        .toList();
  }

  private static List<String> engineSteps() throws IOException {
    String source = Files.readString(ENGINE);
    int start = source.indexOf("List<Step> steps =");
    return STEP.matcher(source.substring(start, source.indexOf(';', start)))
        .results()
        .map(step -> step.group(1))
        .toList();
  }
}
