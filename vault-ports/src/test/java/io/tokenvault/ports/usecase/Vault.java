package io.tokenvault.ports.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.memory.FakeKeyHasher;
import io.tokenvault.ports.memory.FakeKeyWrapper;
import io.tokenvault.ports.memory.FakeSealer;
import io.tokenvault.ports.memory.FakeTokenHasher;
import io.tokenvault.ports.memory.InMemoryStores;
import io.tokenvault.ports.memory.SmallExpressions;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.spi.LogFilter;
import io.tokenvault.ports.spi.NewApplication;
import io.tokenvault.ports.usecase.ManageTenants.IssuedTenant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** All use cases over stores in memory, with a clock that a test sets. */
final class Vault {

  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /** How long a card verification code is kept. */
  static final Duration CVC_LIFETIME = Duration.ofHours(1);

  private Instant now = START;

  final RandomGenerator randomness = new Random();
  final InMemoryStores stores = new InMemoryStores(() -> now);
  final FakeKeyWrapper wrapper = new FakeKeyWrapper();
  final FakeSealer sealer = new FakeSealer();
  final FakeTokenHasher tokenHasher = new FakeTokenHasher();
  final SmallExpressions expressions = new SmallExpressions();
  final FakeKeyHasher hasher = new FakeKeyHasher();
  final SmallJsonCodec json = new SmallJsonCodec();
  final RecordingLookup lookup = new RecordingLookup(stores.lookup());
  final ScriptedRecorder recorder = new ScriptedRecorder(stores.recorder());

  final Gate gate = new Gate(lookup, hasher, stores.credentials(), recorder);
  final ScriptedTokens tokenStore = new ScriptedTokens(stores.tokens());
  final TokenContents contents =
      new TokenContents(
          sealer, tokenHasher, expressions, json, new ShortLivedData(Optional.of(CVC_LIFETIME)));
  final OpenTokens door = new OpenTokens(lookup, contents, gate, recorder);
  final CreateTokens creating = new CreateTokens(tokenStore, contents, door, gate, recorder);
  final ChangeTokens changing =
      new ChangeTokens(tokenStore, lookup, contents, door, gate, recorder);
  final VaultTokens tokens =
      new VaultTokens(tokenStore, lookup, door, gate, tokenHasher, expressions, recorder);
  final ManageApplications applications =
      new ManageApplications(stores.applications(), hasher, recorder, randomness);
  final ManageProxies proxies =
      new ManageProxies(
          stores.proxies(),
          stores.applications(),
          new ProxySeals(sealer, json, hasher, randomness),
          EgressPolicy.publicHosts(),
          new SmallTransformRuntime(),
          recorder);
  final ProxyInvocations invocations =
      new ProxyInvocations(
          lookup,
          hasher,
          gate,
          door,
          stores.proxies(),
          new ProxySeals(sealer, json, hasher, randomness),
          recorder);
  final ManageTenants tenants =
      new ManageTenants(
          stores.tenants(), stores.applications(), wrapper, hasher, recorder, randomness);
  final ReadLogs logs = new ReadLogs(stores.auditLog(), recorder);
  final SweepExpired sweep =
      new SweepExpired(stores.applications(), stores.tokens(), stores.requestJournal());

  final IssuedTenant tenant = tenants.create(new ResourceName("a tenant"));

  void pass(Duration time) {
    now = now.plus(time);
  }

  TenantId tenantId() {
    return tenant.tenantId();
  }

  /** Somebody who may do what management applications may. */
  Caller manager() {
    return caller(tenant.key());
  }

  Caller caller(ApiKey key) {
    return gate.admit(Optional.of(text(key)), Requirement.VALID_KEY);
  }

  Caller caller(ApplicationType type, Permission... permissions) {
    return caller(key(type, new AccessPolicy(List.of(permissions), List.of())));
  }

  /** The key of a new application of the tenant. */
  ApiKey key(ApplicationType type, AccessPolicy policy) {
    return key(
        tenantId(),
        type,
        new ApplicationSettings(new ResourceName("an application"), policy, Optional.empty()));
  }

  ApiKey key(TenantId tenantId, ApplicationType type, ApplicationSettings settings) {
    ApiKey key = ApiKey.generate(randomness);
    stores
        .applications()
        .create(
            new NewApplication(
                new ApplicationId(UUID.randomUUID()),
                tenantId,
                type,
                settings,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                hasher.hash(key)),
            Samples.entry(tenantId, "application made"));
    return key;
  }

  static AccessPolicy rule(String container, AccessTransform transform, Permission... permissions) {
    return new AccessPolicy(
        List.of(),
        List.of(
            new AccessRule(
                "a rule",
                1,
                new InContainer(new Container(container)),
                transform,
                List.of(permissions))));
  }

  /** A token in a container, made by somebody who may. */
  TokenId token(String container, String data) {
    return token(Draft.of(data).in(container)).id();
  }

  /** The same, of any draft. */
  Token token(Draft draft) {
    return creating
        .create(
            caller(ApplicationType.PRIVATE, Permission.TOKEN_CREATE),
            draft.toDraft(),
            new Violations())
        .view()
        .token();
  }

  /** Takes all rights from an application. */
  void disarm(Caller caller) {
    stores
        .applications()
        .update(
            tenantId(),
            caller.application().id(),
            Samples.settings("less", AccessPolicy.none()),
            Optional.empty(),
            Samples.entry(tenantId()));
  }

  /** Destroys the keys of the tenant. */
  void shred() {
    stores.keys().destroy(tenantId(), Samples.entry(tenantId(), "tenant shredded"));
  }

  static String text(ApiKey key) {
    return text(key.value());
  }

  static String text(SensitiveValue value) {
    return new String(value.open(), StandardCharsets.UTF_8);
  }

  /** Of the tenant's log, the newest first. */
  List<String> messages() {
    return entries().stream().map(AuditEntry::message).toList();
  }

  List<AuditEntry> entries() {
    return stores.auditLog().walk(tenantId(), LogFilter.all(), Optional.empty(), 1000).stream()
        .map(RecordedEntry::entry)
        .toList();
  }

  static void assertRefused(FailureCause cause, ThrowingCallable call) {
    assertThat(catchThrowable(call))
        .isInstanceOfSatisfying(
            VaultException.class, refused -> assertThat(refused.failure()).isEqualTo(cause));
  }
}
