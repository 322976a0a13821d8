package io.tokenvault.engine.worker.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LineTableTest {

  @Test
  void linesAreThoseThatWereKept() {
    int[] lines = {0, 0, 1, 2, 2, 17, 3, 2000, 1, 0, 50_000, 49_999};

    LineTable table = LineTable.of(LineTable.appended("a;\nb;", lines));

    assertThat(IntStream.rangeClosed(1, lines.length).map(table::source).toArray())
        .containsExactly(lines);
    assertThat(table.source(0)).isZero();
    assertThat(table.source(lines.length + 1)).isZero();
  }

  @Test
  void linesOfWhatWasNotCompiledAreItsOwn() {
    LineTable table = LineTable.of("a;\nb;");

    assertThat(table.source(2)).isEqualTo(2);
    assertThat(table.source(-1)).isZero();
  }

  @Test
  void onlyTheEndOfAProgramTellsItsLines() {
    String inside = LineTable.appended("a;", new int[] {7}) + "\nb;";

    assertThat(LineTable.of(inside).source(2)).isEqualTo(2);
  }
}
