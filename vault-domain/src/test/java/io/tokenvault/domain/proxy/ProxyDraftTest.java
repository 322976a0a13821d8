package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.tenant.TenantId;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ProxyDraftTest {

  private static final TenantId TENANT = new TenantId(new UUID(1, 1));
  private static final String URL = "https://api.example.com/base";
  private static final String KEYS = "must have keys of 1 to 200 characters";

  @Test
  void whatIsLeftOutGetsItsDefault() {
    ProxyDraft draft = new ProxyDraft("a proxy", URL, null, null, null, null, null);

    assertThat(violations(draft)).isEmpty();
    assertThat(draft.toSettings().requireAuth()).isTrue();
    assertThat(draft.toSettings().applicationId()).isEmpty();
  }

  @Test
  void nameAndDestinationAreRequired() {
    assertThat(violations(new ProxyDraft(null, null, null, null, null, null, null)))
        .containsOnlyKeys("name", "destination_url");
  }

  @Test
  void theLargestConfigurationIsAccepted() {
    Map<String, String> largest = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      largest.put("k".repeat(197) + (100 + i), "v".repeat(10_000));
    }

    assertThat(violations(with(largest))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void whatIsWrongWithAConfigurationIsNamed(
      Map<String, String> configuration, String path, String message) {
    assertThat(violations(with(configuration))).containsExactly(Map.entry(path, List.of(message)));
  }

  static Stream<Arguments> whatIsWrongWithAConfigurationIsNamed() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 101; i++) {
      many.put("key" + i, "value");
    }
    String values = "must be a text of at most 10000 characters";
    return Stream.of(
        arguments(many, "configuration", "must have at most 100 entries"),
        arguments(Collections.singletonMap(null, "v"), "configuration", KEYS),
        arguments(Map.of("", "v"), "configuration", KEYS),
        arguments(Map.of("k".repeat(201), "v"), "configuration", KEYS),
        arguments(Collections.singletonMap("k", null), "configuration.k", values),
        arguments(Map.of("k", "v".repeat(10_001)), "configuration.k", values));
  }

  @Test
  void nothingIsPrinted() {
    ProxyDraft draft =
        new ProxyDraft("marker", "marker", null, Map.of("marker", "marker"), true, 1L, "marker");

    assertThat(draft.toString()).doesNotContain("marker");
  }

  private static ProxyDraft with(Map<String, String> configuration) {
    return new ProxyDraft("a proxy", URL, null, configuration, null, null, null);
  }

  private static Map<String, List<String>> violations(ProxyDraft draft) {
    Violations violations = new Violations();
    draft.check(TENANT, EgressPolicy.publicHosts(), violations);
    return violations.asMap();
  }
}
