package io.tokenvault.domain.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.token.Change.Keep;
import io.tokenvault.domain.token.Change.Reset;
import io.tokenvault.domain.token.Change.To;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeTest {

  private static final Optional<String> OLD = Optional.of("old");

  @Test
  void keepingLeavesWhatIsThere() {
    assertThat(new Keep<String>().apply(OLD)).isEqualTo(OLD);
    assertThat(new Keep<String>().apply(Optional.empty())).isEmpty();
    assertThat(new Keep<String>().given()).isEmpty();
    assertThat(new Keep<String>().isKeep()).isTrue();
  }

  @Test
  void resettingLeavesTheDefault() {
    assertThat(new Reset<String>().apply(OLD)).isEmpty();
    assertThat(new Reset<String>().given()).isEmpty();
    assertThat(new Reset<String>().isKeep()).isFalse();
  }

  @Test
  void aNewValueReplacesTheOldOne() {
    assertThat(new To<>("new").apply(OLD)).contains("new");
    assertThat(new To<>("new").apply(Optional.empty())).contains("new");
    assertThat(new To<>("new").given()).contains("new");
    assertThat(new To<>("new").isKeep()).isFalse();
  }

  @Test
  void onlyANewValueIsMapped() {
    assertThat(new To<>("new").map(String::length)).isEqualTo(new To<>(3));
    assertThat(new Keep<String>().map(String::length)).isEqualTo(new Keep<>());
    assertThat(new Reset<String>().map(String::length)).isEqualTo(new Reset<>());
  }

  @Test
  void aNewValueIsNotPrinted() {
    assertThat(new To<>("marker").toString()).doesNotContain("marker");
  }
}
