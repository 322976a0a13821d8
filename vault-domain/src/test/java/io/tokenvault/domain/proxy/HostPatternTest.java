package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPatternTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api.example.com", "*.example.com", "localhost", "intranet",
        "*.localhost", "xn--bcher-kva.example", "1.example.com", "a-b.example.com"
      })
  void hostNameWithOptionalWildcardIsValid(String text) {
    assertThat(HostPattern.isValid(text)).isTrue();
    assertThat(new HostPattern(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "*",
        "*.", "**.example.com", "*.*.example.com",
        "*example.com", "api.*.com", "api.*",
        ".example.com", "*..example.com", "api.example.com.",
        "api.example.com:443", "*.example.com:443", "user@api.example.com",
        "https://api.example.com", "api.example.com/path", "api.example.com?q",
        "api.example.com#f", "api.example.com\\", "api example.com",
        " api.example.com", "api.example.com\n", "api.example.com\0",
        "api_1.example.com", "b\u00fccher.example", "api\uff0eexample.com",
        "%61pi.example.com", "127.0.0.1", "127.1",
        "2130706433", "0x7f000001", "*.0.0.1",
        "::1", "[::1]"
      })
  void invalidPatternIsRejected(String text) {
    assertThat(HostPattern.isValid(text)).isFalse();
    assertThatThrownBy(() -> new HostPattern(text))
        .isInstanceOfSatisfying(
            ValidationException.class,
            refused ->
                assertThat(refused.errors()).isEqualTo(Map.of("host", List.of(HostPattern.SHAPE))));
  }

  @Test
  void hostNameOfMaximumLengthIsValidAndLongerIsInvalid() {
    String label = "a".repeat(61) + ".";
    String longest = label.repeat(4) + "abcde";

    assertThat(longest).hasSize(253);
    assertThat(HostPattern.isValid(longest)).isTrue();
    assertThat(HostPattern.isValid("*." + longest)).isTrue();
    assertThat(HostPattern.isValid(longest + "f")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "api.example.com, api.example.com, true",
    "API.Example.com, api.example.com, true",
    "api.example.com, x.api.example.com, false",
    "api.example.com, example.com, false",
    "api.example.com, api.example.com.evil.net, false",
    "api.example.com, xapi.example.com, false",
    "*.example.com, api.example.com, true",
    "*.EXAMPLE.com, api.example.com, true",
    "*.example.com, a.b.example.com, true",
    "*.example.com, example.com, false",
    "*.example.com, evilexample.com, false",
    "*.example.com, api.example.com.evil.net, false",
    "*.example.com, example.com.evil.net, false",
    "*.localhost, db.localhost, true"
  })
  void patternMatchesNameOrAllSubdomains(String pattern, String host, boolean matches) {
    assertThat(new HostPattern(pattern).matches(host)).isEqualTo(matches);
  }

  @Test
  void onlyPatternWithoutWildcardIsExact() {
    assertThat(new HostPattern("example.com").isExact()).isTrue();
    assertThat(new HostPattern("*.example.com").isExact()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "a.example, a.example, true", "a.example, b.example, false",
    "*.example, a.example, true", "*.example, b.a.example, true",
    "*.example, *.a.example, true", "*.example, *.example, true",
    "*.a.example, *.example, false", "*.a.example, a.example, false",
    "a.example, *.a.example, false", "*.a.example, ba.example, false",
    "*.a.example, *.ba.example, false"
  })
  void patternCoversOnlyPatternsWithinIt(String wide, String narrow, boolean covers) {
    assertThat(new HostPattern(wide).covers(new HostPattern(narrow))).isEqualTo(covers);
  }
}
