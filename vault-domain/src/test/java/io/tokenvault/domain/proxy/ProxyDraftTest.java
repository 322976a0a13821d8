package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProxyDraftTest {

  private static final TenantId TENANT = new TenantId(new UUID(1, 1));
  private static final String URL = "https://api.example.com/base";
  private static final String KEYS = "must have keys of 1 to 200 characters";

  @Test
  void omittedPropertiesUseDefaults() {
    ProxyDraft draft = new ProxyDraft("a proxy", URL, null, null, null, null, null, Map.of());

    assertThat(violations(draft)).isEmpty();
    assertThat(settings(draft).requireAuth()).isTrue();
    assertThat(settings(draft).applicationId()).isEmpty();
    assertThat(settings(draft).timeout()).isEmpty();
    assertThat(settings(draft).clientCertificate()).isEmpty();
  }

  @Test
  void nameAndDestinationAreRequired() {
    assertThat(violations(new ProxyDraft(null, null, null, null, null, null, null, Map.of())))
        .containsOnlyKeys("name", "destination_url");
  }

  @Test
  void largestConfigurationIsAccepted() {
    Map<String, String> largest = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      largest.put("k".repeat(197) + (100 + i), "v".repeat(10_000));
    }

    assertThat(violations(withConfiguration(largest))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void configurationViolationIsReportedAtItsPath(
      Map<String, String> configuration, String path, String message) {
    assertThat(violations(withConfiguration(configuration)))
        .containsExactly(Map.entry(path, List.of(message)));
  }

  static Stream<Arguments> configurationViolationIsReportedAtItsPath() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 101; i++) {
      many.put("key" + i, "value");
    }
    String values = "must be a string of at most 10000 characters";
    return Stream.of(
        arguments(many, "configuration", "must have at most 100 entries"),
        arguments(Collections.singletonMap(null, "v"), "configuration", KEYS),
        arguments(Map.of("", "v"), "configuration", KEYS),
        arguments(Map.of("k".repeat(201), "v"), "configuration", KEYS),
        arguments(Collections.singletonMap("k", null), "configuration.k", values),
        arguments(Map.of("k", "v".repeat(10_001)), "configuration.k", values));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1500, 600_000})
  void timeoutOfUpToTenMinutesIsAccepted(long millis) {
    ProxyDraft draft = withTimeout(millis);

    assertThat(violations(draft)).isEmpty();
    assertThat(settings(draft).timeout()).contains(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 600_001, Long.MIN_VALUE, Long.MAX_VALUE})
  void timeoutOutsideRangeIsRejected(long millis) {
    assertThat(violations(withTimeout(millis)))
        .isEqualTo(Map.of("timeout_ms", List.of("must be a number from 1 to 600000")));
  }

  private static ProxyDraft withTimeout(long millis) {
    return new ProxyDraft("a proxy", URL, null, null, null, millis, null, Map.of());
  }

  @Test
  void availableCertificateIsAcceptedByName() {
    ProxyDraft draft = withCertificate("Bank");

    assertThat(violations(draft, "bank")).isEmpty();
    assertThat(violations(draft, TENANT + "/bank")).isEmpty();
    assertThat(settings(draft, "bank").clientCertificate()).contains("Bank");
  }

  @Test
  void unavailableCertificateIsRejectedAndNotRepeated() {
    Map<String, List<String>> unknown =
        Map.of(
            "client_certificate",
            List.of("must be the name of a certificate that the operator has configured"));
    TenantId other = new TenantId(new UUID(1, 2));

    assertThat(violations(withCertificate("bank"))).isEqualTo(unknown);
    assertThat(violations(withCertificate(""), "bank")).isEqualTo(unknown);
    assertThat(violations(withCertificate("bank"), other + "/bank")).isEqualTo(unknown);
    assertThat(violations(withCertificate(other + "/bank"), other + "/bank")).isEqualTo(unknown);
  }

  private static ProxyDraft withCertificate(String certificate) {
    return new ProxyDraft("a proxy", URL, null, null, null, null, certificate, Map.of());
  }

  @Test
  void codeOfMaximumLengthIsAccepted() {
    Map<TransformKind, String> longest =
        Map.of(
            TransformKind.REQUEST,
            "x".repeat(TransformCode.MAX_LENGTH),
            TransformKind.RESPONSE,
            "x");

    assertThat(violations(withTransforms(longest))).isEmpty();
    assertThat(withTransforms(longest).transforms()).isEqualTo(longest);
    assertThat(withConfiguration(null).transforms()).isEmpty();
  }

  @Test
  void emptyOrTooLongCodeIsRejected() {
    String tooLong = "x".repeat(TransformCode.MAX_LENGTH + 1);
    List<String> message = List.of("must be JavaScript of 1 to 50000 characters");

    assertThat(
            violations(
                withTransforms(
                    Map.of(TransformKind.REQUEST, tooLong, TransformKind.RESPONSE, " \n"))))
        .isEqualTo(Map.of("request_transform.code", message, "response_transform.code", message));
  }

  private static ProxyDraft withTransforms(Map<TransformKind, String> transforms) {
    return new ProxyDraft("a proxy", URL, null, null, null, null, null, transforms);
  }

  @Test
  void toStringRevealsNoValues() {
    ProxyDraft draft =
        new ProxyDraft(
            "marker",
            "marker",
            null,
            Map.of("marker", "marker"),
            true,
            1L,
            "marker",
            Map.of(TransformKind.REQUEST, "marker"));

    assertThat(draft.toString()).doesNotContain("marker");
  }

  private static ProxyDraft withConfiguration(Map<String, String> configuration) {
    return new ProxyDraft("a proxy", URL, null, configuration, null, null, null, Map.of());
  }

  /** Returns the violations of a draft where the operator has configured these certificates. */
  private static Map<String, List<String>> violations(ProxyDraft draft, String... certificates) {
    Violations violations = new Violations();
    Optional<ProxySettings> settings = parse(draft, violations, certificates);
    assertThat(settings.isPresent()).isEqualTo(violations.isEmpty());
    return violations.asMap();
  }

  private static ProxySettings settings(ProxyDraft draft, String... certificates) {
    Violations violations = new Violations();
    return violations.require(parse(draft, violations, certificates));
  }

  private static Optional<ProxySettings> parse(
      ProxyDraft draft, Violations violations, String... certificates) {
    return draft.parse(
        TENANT, new EgressPolicy(Optional.empty(), Set.of(), Set.of(certificates)), violations);
  }
}
