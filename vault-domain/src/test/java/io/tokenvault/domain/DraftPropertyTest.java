package io.tokenvault.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.AccessRuleDraft;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.ConditionDraft;
import io.tokenvault.domain.access.GrantLimits;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenDraft;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Drafts of which any part may be missing or invalid. */
class DraftPropertyTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @Property
  void policyDraftIsValidOrHasViolations(
      @ForAll("policies") AccessPolicyDraft draft,
      @ForAll("types") Optional<ApplicationType> type) {
    Violations violations = new Violations();

    assertThat(draft.parse(new GrantLimits(type, permission -> true), violations).isPresent())
        .isEqualTo(violations.isEmpty());
  }

  @Property
  void applicationDraftIsValidOrHasViolations(@ForAll("applications") ApplicationDraft draft) {
    Violations violations = new Violations();

    assertThat(draft.parse(NOW, violations).isPresent()).isEqualTo(violations.isEmpty());
  }

  @Property
  void tokenDraftIsValidOrHasViolations(@ForAll("tokens") TokenDraft draft) {
    Violations violations = new Violations();

    assertThat(draft.parse(NOW, violations).isPresent()).isEqualTo(violations.isEmpty());
  }

  @Property
  void proxyDraftIsValidOrHasViolations(@ForAll("proxies") ProxyDraft draft) {
    Violations violations = new Violations();
    EgressPolicy egress = new EgressPolicy(Optional.empty(), Set.of(), Set.of());

    assertThat(draft.parse(new TenantId(new UUID(1, 1)), egress, violations).isPresent())
        .isEqualTo(violations.isEmpty());
  }

  @Provide
  Arbitrary<Optional<ApplicationType>> types() {
    return Arbitraries.of(ApplicationType.class).optional();
  }

  @Provide
  Arbitrary<AccessPolicyDraft> policies() {
    Arbitrary<ConditionDraft> conditions =
        Combinators.combine(some("id", "x"), some("equals", "x"), some("card-1", ""))
            .as(ConditionDraft::new);
    Arbitrary<AccessRuleDraft> rules =
        Combinators.combine(
                some("cards", " "),
                Arbitraries.integers().between(0, 4).injectNull(0.1),
                some("/pci/", "pci"),
                conditions.injectNull(0.1).list().ofMaxSize(2).injectNull(0.5),
                some("mask", "x"),
                some("token:read", "x").list().ofMaxSize(2).injectNull(0.1))
            .as(AccessRuleDraft::new);
    return Combinators.combine(
            some("token:read", "log:read").list().ofMaxSize(2).injectNull(0.3),
            rules.injectNull(0.1).list().ofMaxSize(2).injectNull(0.3))
        .as(AccessPolicyDraft::new);
  }

  @Provide
  Arbitrary<ApplicationDraft> applications() {
    return Combinators.combine(
            some("app", ""),
            Arbitraries.of("private", "expiring", "management", "x").injectNull(0.1),
            policies().injectNull(0.1),
            times(),
            Arbitraries.of(true, false).injectNull(0.7))
        .as(ApplicationDraft::new);
  }

  @Provide
  Arbitrary<TokenDraft> tokens() {
    return Combinators.combine(
            some("abc", "{{ data }}"),
            some("token", "card"),
            some("x", "{{").map(text -> text == null ? null : JsonValue.of(text)),
            some("/pci/", "pci").list().ofMaxSize(2).injectNull(0.5),
            Arbitraries.maps(some("k", ""), some("v", "w")).ofMaxSize(2).injectNull(0.5),
            times(),
            some("{{ data }}", "{{").list().ofMaxSize(2).injectNull(0.5),
            some("{{ data }}", "{{"))
        .as(
            (id, type, data, containers, metadata, expiresAt, indexes, fingerprint) ->
                new TokenDraft(
                    id,
                    type,
                    data,
                    containers,
                    metadata,
                    expiresAt,
                    data,
                    indexes,
                    fingerprint,
                    null));
  }

  @Provide
  Arbitrary<ProxyDraft> proxies() {
    return Combinators.combine(
            some("proxy", " "),
            some("https://api.example.com", "http://127.0.0.1"),
            Arbitraries.maps(some("k", ""), some("v", "w")).ofMaxSize(2).injectNull(0.5),
            Arbitraries.longs().between(0, 5).injectNull(0.5),
            some("bank", "").injectNull(0.8))
        .as(
            (name, url, configuration, timeout, certificate) ->
                new ProxyDraft(name, url, null, configuration, null, timeout, certificate));
  }

  private static Arbitrary<Instant> times() {
    return Arbitraries.of(NOW, NOW.plusSeconds(60), Instant.MAX).injectNull(0.5);
  }

  /** Most often a valid value, sometimes an invalid one or null. */
  private static Arbitrary<String> some(String valid, String invalid) {
    return Arbitraries.of(valid, valid, valid, invalid).injectNull(0.1);
  }
}
