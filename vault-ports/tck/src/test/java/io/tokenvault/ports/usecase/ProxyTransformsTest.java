package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static io.tokenvault.ports.usecase.VaultFixture.errors;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.runtime.TransformRuntime;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation.Flaw;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.ProxyStore.ProxyFilter;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.usecase.proxy.CheckedTransform;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.proxy.ProxyView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests {@link ManageProxies} with transforms. */
final class ProxyTransformsTest {

  private static final String CODE = "module.exports = args => 'marker'";
  private static final Map<TransformKind, String> BOTH =
      Map.of(TransformKind.REQUEST, CODE, TransformKind.RESPONSE, "the other");

  private final VaultFixture vault = new VaultFixture();

  private static ProxyDraft draft(Map<TransformKind, String> transforms) {
    return ProxyFixture.draft(null, transforms);
  }

  private ProxyView create(Map<TransformKind, String> transforms) {
    return vault.proxies.create(vault.manager(), draft(transforms), new Violations());
  }

  private ProxyView update(ProxyId id, Map<TransformKind, String> transforms) {
    return vault.proxies.update(vault.manager(), id, draft(transforms), new Violations());
  }

  private StoredProxy stored(ProxyId id) {
    return vault.stores.proxies().find(vault.tenantId(), id).orElseThrow();
  }

  private List<ProxyView> list() {
    PageRequest page = new PageRequest(1, 20);
    ProxyFilter all = new ProxyFilter(Set.of(), Optional.empty());
    return vault.proxies.list(vault.manager(), all, page, MemoryReservation.UNBOUNDED).items();
  }

  private static Map<TransformKind, TransformCode> codes(Map<TransformKind, String> sources) {
    Map<TransformKind, TransformCode> codes = new EnumMap<>(TransformKind.class);
    sources.forEach((kind, source) -> codes.put(kind, new TransformCode(source)));
    return codes;
  }

  @Test
  void codeIsReturnedUnchanged() {
    ProxyView created = create(BOTH);
    ProxyId id = created.proxy().id();

    assertThat(created.transforms()).isEqualTo(codes(BOTH));
    assertThat(vault.proxies.read(vault.manager(), id).transforms()).isEqualTo(codes(BOTH));
    assertThat(list()).extracting(ProxyView::transforms).containsExactly(codes(BOTH));
    assertThat(created.toString()).doesNotContain("marker");
  }

  @Test
  void codeAndCompiledProgramAreStoredEncrypted() {
    StoredProxy stored = stored(create(BOTH).proxy().id());

    EncryptedTransform transform = stored.transforms().get(TransformKind.REQUEST);
    assertThat(new String(transform.content().ciphertext(), StandardCharsets.ISO_8859_1))
        .doesNotContain("marker", "small/1");
    assertThat(transform.compiler()).isEqualTo("small/1");
    assertThat(
            vault.proxyCipher.decryptTransform(
                vault.manager().keys(), stored, TransformKind.REQUEST))
        .isEqualTo(
            new CheckedTransform(
                new TransformCode(CODE), new CompiledTransform("small/1", CODE, List.of())));
  }

  @Test
  void codeIsNotCompiledOnceViolationsAreFull() {
    ManageProxies proxies =
        manageProxies(
            code -> {
              throw new AssertionError("unexpected compilation");
            });
    Violations full = new Violations();
    for (int i = 0; !full.isFull(); i++) {
      full.add("unknown-" + i, "is not a known field");
    }

    assertThat(errors(() -> proxies.create(vault.manager(), draft(BOTH), full)))
        .isEqualTo(full.asMap());
  }

  @Test
  void requirementsOfCompiledTransformAreStored() {
    ManageProxies proxies = manageProxies(code -> compiled(code, List.of("b", "a \"quoted\" one")));
    ProxyId id = proxies.create(vault.manager(), draft(BOTH), new Violations()).proxy().id();

    CompiledTransform decrypted =
        vault
            .proxyCipher
            .decryptTransform(vault.manager().keys(), stored(id), TransformKind.RESPONSE)
            .compiled();

    assertThat(decrypted)
        .isEqualTo(
            new CompiledTransform(
                "own/1", "program of the other", List.of("b", "a \"quoted\" one")));
    assertThat(decrypted.toString()).doesNotContain("program", "quoted");
  }

  @Test
  void movedTransformCannotBeDecrypted() {
    ProxyId id = create(BOTH).proxy().id();
    StoredProxy stored = stored(id);
    StoredProxy swapped =
        new StoredProxy(
            stored.proxy(),
            stored.key(),
            stored.configuration(),
            Map.of(TransformKind.REQUEST, stored.transforms().get(TransformKind.RESPONSE)));

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                vault.proxyCipher.decryptTransform(
                    vault.manager().keys(), swapped, TransformKind.REQUEST));
  }

  @Test
  void updateReplacesCodeAndRemovesOmittedTransforms() {
    ProxyId id = create(BOTH).proxy().id();
    Map<TransformKind, String> one = Map.of(TransformKind.RESPONSE, "new");

    assertThat(update(id, one).transforms()).isEqualTo(codes(one));
    assertThat(stored(id).transforms()).containsOnlyKeys(TransformKind.RESPONSE);
    assertThat(update(id, Map.of()).transforms()).isEmpty();
    assertThat(stored(id).transforms()).isEmpty();
    assertThat(update(id, BOTH).transforms()).isEqualTo(codes(BOTH));
  }

  @Test
  void codeErrorsAreReportedByLocationWithOtherViolations() {
    Map<TransformKind, String> flawed =
        Map.of(TransformKind.REQUEST, "let a flaw", TransformKind.RESPONSE, "a flaw");
    ApplicationId unknownApplication = new ApplicationId(UUID.randomUUID());
    ProxyDraft wrong =
        new ProxyDraft(" ", "http://127.0.0.1", unknownApplication, null, null, 0L, null, flawed);
    Violations schemaViolations = new Violations().add("unknown", "is unknown");

    Map<String, List<String>> errors =
        errors(() -> vault.proxies.create(vault.manager(), wrong, schemaViolations));

    assertThat(errors)
        .containsOnlyKeys(
            "unknown",
            "name",
            "destination_url",
            "timeout_ms",
            "application.id",
            "request_transform.code",
            "response_transform.code")
        .containsEntry("request_transform.code", List.of("line 1, column 5: must not hold a flaw"))
        .containsEntry(
            "response_transform.code", List.of("line 1, column 1: must not hold a flaw"));
  }

  @Test
  void allCodeErrorsAreReportedInOrder() {
    ManageProxies proxies =
        manageProxies(
            code ->
                new Compilation.Refused(
                    List.of(new Flaw(7, 2, "first"), new Flaw(3, 1, "second"))));

    assertThat(
            errors(
                () ->
                    proxies.create(
                        vault.manager(),
                        draft(Map.of(TransformKind.REQUEST, CODE)),
                        new Violations())))
        .isEqualTo(
            Map.of(
                "request_transform.code",
                List.of("line 7, column 2: first", "line 3, column 1: second")));
  }

  @Test
  void rejectedTransformIsNotStored() {
    ProxyId id = create(BOTH).proxy().id();
    StoredProxy before = stored(id);
    List<String> messages = vault.messages();
    Map<TransformKind, String> flawed =
        Map.of(TransformKind.REQUEST, "fine", TransformKind.RESPONSE, "a flaw");

    assertThat(errors(() -> create(flawed))).containsOnlyKeys("response_transform.code");
    assertThat(errors(() -> update(id, flawed))).containsOnlyKeys("response_transform.code");

    assertThat(vault.messages()).isEqualTo(messages);
    assertThat(stored(id)).isEqualTo(before);
    assertThat(list()).hasSize(1);
  }

  @Test
  void transformIsNotStoredIfCompilationIsUnavailable() {
    ManageProxies proxies =
        manageProxies(
            code -> {
              throw new RefusedException(FailureCause.OVERLOADED, "busy");
            });

    assertRefused(
        FailureCause.OVERLOADED,
        () -> proxies.create(vault.manager(), draft(BOTH), new Violations()));

    assertThat(list()).isEmpty();
  }

  @Test
  void codeThatIsTooLongIsNotCompiled() {
    List<String> compiled = new ArrayList<>();
    ManageProxies proxies =
        manageProxies(
            code -> {
              compiled.add(code.source());
              return compiled(code, List.of());
            });
    Map<TransformKind, String> tooLong =
        Map.of(
            TransformKind.REQUEST,
            "x".repeat(TransformCode.MAX_LENGTH + 1),
            TransformKind.RESPONSE,
            CODE);

    assertThat(errors(() -> proxies.create(vault.manager(), draft(tooLong), new Violations())))
        .containsOnlyKeys("request_transform.code");

    assertThat(compiled).containsExactly(CODE);
  }

  private ManageProxies manageProxies(Function<TransformCode, Compilation> compilation) {
    return new ManageProxies(
        vault.stores.proxies(),
        vault.stores.applications(),
        vault.proxyCipher,
        EgressPolicy.publicHosts(),
        new StubRuntime(compilation),
        vault.recorder);
  }

  private static Compilation compiled(TransformCode code, List<String> requires) {
    return new Compilation.Compiled(
        new CompiledTransform("own/1", "program of " + code.source(), requires));
  }

  /** A runtime that compiles with a function of the test. */
  private record StubRuntime(Function<TransformCode, Compilation> compilation)
      implements TransformRuntime {

    @Override
    public String compiler() {
      return "own/1";
    }

    @Override
    public Compilation compile(TenantId tenantId, TransformCode code) {
      return compilation.apply(code);
    }
  }
}
