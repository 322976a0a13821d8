package io.tokenvault.engine.expression;

import static io.tokenvault.engine.expression.Evaluations.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.filter.DocumentedFilters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the examples in the tables of docs/expressions.md. */
class ExpressionsDocTest {

  private static final Pattern CODE = Pattern.compile("`([^`]*)`");

  static List<Example> examples() throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "expressions.md")).stream()
        .map(line -> line.split("(?<!\\\\)\\|", -1))
        .filter(cells -> cells.length == 6 && cells[3].contains("{{"))
        .map(Example::of)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyDocumentedExampleIsCorrect(Example example) {
    assertThat(result(example.data, example.expression)).isEqualTo(example.result);
  }

  @Test
  void everyFilterHasAnExample() throws IOException {
    String all = String.join("\n", examples().stream().map(Example::toString).toList());

    assertThat(DocumentedFilters.names())
        .allSatisfy(name -> assertThat(all).containsPattern("\\| " + name + "\\b"))
        .hasSize(60);
  }

  private record Example(String data, String expression, String result) {

    static Example of(String[] cells) {
      List<String> codes = Arrays.stream(cells, 2, 5).map(Example::code).toList();
      return new Example(codes.get(0), codes.get(1), codes.get(2));
    }

    private static String code(String cell) {
      Matcher matcher = CODE.matcher(cell.replace("\\|", "|"));
      assertThat(matcher.find()).as(cell).isTrue();
      return matcher.group(1);
    }
  }
}
