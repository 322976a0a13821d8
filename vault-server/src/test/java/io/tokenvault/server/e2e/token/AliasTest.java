package io.tokenvault.server.e2e.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids that resemble the data. */
final class AliasTest {

  private static final int MANY = 20;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "4242424242424242" | alias_preserve_format: 4, 4 | 4242[0-9]{8}4242
          "4242424242424242" | alias_preserve_format: 0, 4 | [0-9]{12}4242
          "4242424242424242" | alias_preserve_format: 4, 0 | 4242[0-9]{12}
          "4242-4242-4242-4242" | alias_preserve_format: 0, 4 | [0-9]{4}-[0-9]{4}-[0-9]{4}-4242
          "AbCd-1234-eFgH" | alias_preserve_format: 0, 0 | [A-Z][a-z][A-Z][a-z]-[0-9]{4}-[a-z][A-Z][a-z][A-Z]
          "4242424242424242" | alias_preserve_length: 4, 4 | 4242.{8}4242
          "4242424242424242" | alias_preserve_length: 0, 0 | .{16}
          """)
  void anAliasKeepsWhatItIsAskedTo(String data, String filter, String pattern) {
    Response created = create(data, filter).expect(201);

    assertThat(created.text("id")).matches(pattern).isNotEqualTo(Json.parse(data).asText());
    assertThat(owner.get("/tokens/" + created.text("id")).expect(200).get("data"))
        .isEqualTo(Json.parse(data));
  }

  /** First and last would leave less than half, or less than four. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "424242424242424242" | alias_preserve_format: 6, 4
          "424242424242424242" | alias_preserve_format: 18, 0
          "424242424242424242" | alias_preserve_length: 9, 4
          "4242424242" | alias_preserve_format: 4, 3
          """)
  void wherePreservingWouldLeaveTooLittleAllIsReplaced(String data, String filter) {
    Set<String> beginnings = new HashSet<>();
    for (int i = 0; i < MANY; i++) {
      String id = create(data, filter).expect(201).text("id");
      assertThat(id).hasSameSizeAs(Json.parse(data).asText());
      beginnings.add(id.substring(0, 2));
    }
    assertThat(beginnings).hasSizeGreaterThan(1);
  }

  @Test
  void otherFiltersMayStandBefore() {
    String id =
        owner
            .post(
                "/tokens",
                Json.object(
                    "type",
                    "card",
                    "data",
                    Json.object("number", "4242424242424242"),
                    "id",
                    "{{ data.number | slice: 4, 12 | alias_preserve_format: 0, 4 }}"))
            .expect(201)
            .text("id");

    assertThat(id).matches("[0-9]{8}4242");
  }

  @Test
  void whatFiltersAddDoesNotCountAsReplaced() {
    Response refused =
        owner
            .post(
                "/tokens",
                Json.object(
                    "type", "token",
                    "data", "12345678",
                    "id", "{{ data | append: 'aaaaaaaa' | alias_preserve_length: 8, 0 }}"))
            .expect(400);

    assertThat(refused.text()).contains("lengthen").doesNotContain("12345678");
  }

  @Test
  void whereAllAliasesAreTakenAnIdIsUnique() {
    for (int hundreds = 0; hundreds < 100; hundreds++) {
      String prefix = String.format(Locale.ROOT, "%02d", hundreds);
      owner
          .post(
              "/tokenize",
              Json.of(
                  IntStream.range(0, 100)
                      .mapToObj(i -> String.format(Locale.ROOT, "%s%02d", prefix, i))
                      .map(id -> Json.object("type", "token", "data", "x", "id", id))
                      .toList()))
          .expect(200);
    }

    String id = create("\"4242\"", "alias_preserve_format: 0, 0").expect(201).text("id");

    assertThat(UUID.fromString(id)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {{ data }}
          {{ data | upcase }}
          {{ data | alias_preserve_length: 1, 1 | upcase }}
          {{ data | alias_preserve_length: 1, 1 | alias_preserve_length: 1, 1 }}
          x{{ data | alias_preserve_length: 1, 1 }}
          {{ data | alias_preserve_length: 1, 1 }}{{ data | alias_preserve_length: 1, 1 }}
          {{ data | alias_preserve_length: 1 }}
          {{ data | alias_preserve_length: -1, 1 }}
          {{ data | alias_preserve_length: 'a', 1 }}
          {{ data | alias_of: 1, 1 }}
          {{ metadata | alias_preserve_length: 1, 1 }}
          {{ data | alias_preserve_length: 1, 1
          {{ data | prepend: '#' | alias_preserve_format: 0, 0 }}
          """)
  void anExpressionThatMakesNoAliasIsRefused(String expression) {
    Response refused =
        owner
            .post(
                "/tokens", Json.object("type", "token", "data", "planted-secret", "id", expression))
            .expectErrorsAt("id");

    assertThat(refused.text()).doesNotContain("planted");
    assertThat(owner.get("/tokens").get("data")).isEmpty();
  }

  @Test
  void aTextThatIsNoExpressionIsAnIdAndCannotHoldBraces() {
    owner
        .post("/tokens", Json.object("type", "token", "data", "x", "id", "{data}"))
        .expectErrorsAt("id");
  }

  private Response create(String data, String filter) {
    return owner.post(
        "/tokens",
        Json.object(
            "type", "token", "data", Json.parse(data), "id", "{{ data | " + filter + " }}"));
  }
}
