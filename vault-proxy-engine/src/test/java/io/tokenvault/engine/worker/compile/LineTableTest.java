package io.tokenvault.engine.worker.compile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineTableTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "\n//# lines=1,,2", "\n//# lines=99999999999", "\n//# lines= x"})
  void programWithoutTableHasLinesOfItsSource(String end) {
    LineTable lines = LineTable.of("f()" + end);

    assertThat(lines.source(2)).isEqualTo(2);
    assertThat(lines.column(2)).isZero();
  }
}
