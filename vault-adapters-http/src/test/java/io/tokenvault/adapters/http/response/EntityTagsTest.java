package io.tokenvault.adapters.http.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.request.ExpectedVersion;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EntityTagsTest {

  private static ExpectedVersion read(String... values) {
    return EntityTags.ifMatch(List.of(values));
  }

  @Test
  void issuedTagIsReadBack() {
    assertThat(ApiResponse.noContent().ofVersion(7).headers()).containsEntry("ETag", "\"7\"");
    assertThat(read("\"7\"")).isEqualTo(ExpectedVersion.oneOf(Set.of(7L)));
  }

  @Test
  void missingHeaderAndStarAcceptAnyVersion() {
    assertThat(read()).isEqualTo(ExpectedVersion.ANY);
    assertThat(read(" * ")).isEqualTo(ExpectedVersion.ANY);
  }

  @Test
  void listsMaySpanHeadersAndHaveEmptyElements() {
    assertThat(read("\"1\",\"2\" ,\t\"3\"")).isEqualTo(ExpectedVersion.oneOf(Set.of(1L, 2L, 3L)));
    assertThat(read(", \"1\",, ")).isEqualTo(ExpectedVersion.oneOf(Set.of(1L)));
    assertThat(read("\"1\"", "\"2\"")).isEqualTo(ExpectedVersion.oneOf(Set.of(1L, 2L)));
  }

  @Test
  void weakAndForeignTagsMatchNothing() {
    for (String tag :
        List.of(
            "W/\"1\"",
            "\"\"",
            "\"x\"",
            "\"01\"",
            "\"-1\"",
            "\"*\"",
            "\"1,2\"",
            "\"" + "9".repeat(30) + "\"")) {
      assertThat(read(tag)).as(tag).isEqualTo(ExpectedVersion.oneOf(Set.of()));
      assertThat(read(tag, "\"7\"")).as(tag).isEqualTo(ExpectedVersion.oneOf(Set.of(7L)));
    }
  }

  @Test
  void malformedTagListIsRejected() {
    for (String text :
        List.of(
            "",
            ",",
            "1",
            "\"1",
            "1\"",
            "\"1\" \"2\"",
            "*, \"1\"",
            "\"1\", *",
            "w/\"1\"",
            "W/ \"1\"",
            "'1'",
            "\"a b\"",
            "**")) {
      assertThatThrownBy(() -> read(text))
          .as(text)
          .isInstanceOfSatisfying(
              ValidationException.class,
              refused -> assertThat(refused.errors()).containsOnlyKeys("If-Match"));
    }
  }
}
