package io.tokenvault.ports.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.Condition.Attribute;
import io.tokenvault.domain.access.Condition.Operator;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.memory.FakeFieldCipher;
import io.tokenvault.ports.memory.FakeKeyHasher;
import io.tokenvault.ports.memory.FakeKeyWrapper;
import io.tokenvault.ports.memory.FakeTokenHasher;
import io.tokenvault.ports.memory.InMemoryStores;
import io.tokenvault.ports.memory.SmallExpressions;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.memory.SmallTransformRuntime;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.model.NewApplication;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.authorization.AuthenticatedCaller;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.idempotency.IdempotentRequests;
import io.tokenvault.ports.usecase.idempotency.ResponseCipher;
import io.tokenvault.ports.usecase.maintenance.DeleteExpired;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.DryRunProxies;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.proxy.ProxyCipher;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.CreatedToken;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import io.tokenvault.ports.usecase.token.TokenContents;
import io.tokenvault.ports.usecase.token.TokenDecryptor;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The use cases on in-memory stores, with a clock that tests advance. */
public final class VaultFixture {

  public static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /** Lifetime of card verification codes. */
  public static final Duration CVC_LIFETIME = Duration.ofHours(1);

  private Instant now = START;

  public final RandomGenerator randomness = new Random();
  public final InMemoryStores fixture = new InMemoryStores(() -> now);
  public final VaultStores stores = fixture.stores();
  final FakeKeyWrapper wrapper = new FakeKeyWrapper();
  public final FakeFieldCipher cipher = new FakeFieldCipher();
  public final FakeTokenHasher tokenHasher = new FakeTokenHasher();
  public final SmallExpressions expressions = new SmallExpressions();
  public final FakeKeyHasher hasher = new FakeKeyHasher();
  public final SmallJsonCodec json = new SmallJsonCodec();
  public final RecordingLookup lookup = new RecordingLookup(stores.lookup());
  public final ScriptedRecorder recorder = new ScriptedRecorder(stores.recorder());

  public final Authenticator authenticator =
      new Authenticator(lookup, hasher, stores.credentials(), recorder);
  public final ScriptedTokenStore tokenStore = new ScriptedTokenStore(stores.tokens());
  public final TokenContents contents =
      new TokenContents(
          cipher, tokenHasher, expressions, json, new ShortLivedData(Optional.of(CVC_LIFETIME)));
  public final TokenDecryptor tokenDecryptor =
      new TokenDecryptor(lookup, contents, authenticator, recorder);
  public final CreateTokens createTokens =
      new CreateTokens(tokenStore, contents, tokenDecryptor, authenticator, recorder);
  public final ChangeTokens changeTokens =
      new ChangeTokens(tokenStore, lookup, contents, tokenDecryptor, authenticator, recorder);
  public final VaultTokens tokens =
      new VaultTokens(
          tokenStore, lookup, tokenDecryptor, authenticator, tokenHasher, expressions, recorder);
  public final ManageApplications applications =
      new ManageApplications(stores.applications(), hasher, recorder, randomness);
  public final ProxyCipher proxyCipher = new ProxyCipher(cipher, json, hasher, randomness);

  /** Has one client certificate, for all tenants. */
  public final ManageProxies proxies =
      new ManageProxies(
          stores.proxies(),
          stores.applications(),
          proxyCipher,
          new EgressPolicy(Optional.empty(), Set.of(), Set.of("bank")),
          new SmallTransformRuntime(),
          recorder);

  public final ProxyInvocations invocations =
      new ProxyInvocations(
          lookup, hasher, authenticator, tokenDecryptor, stores.proxies(), proxyCipher, recorder);
  public final DryRunProxies dryRuns =
      new DryRunProxies(
          stores.proxies(),
          stores.applications(),
          proxyCipher,
          tokenDecryptor,
          authenticator,
          recorder);
  public final ResponseCipher responseCipher = new ResponseCipher(cipher, json);
  public final IdempotentRequests idempotentRequests =
      new IdempotentRequests(
          stores.requestJournal(),
          tokenHasher,
          responseCipher,
          lookup,
          authenticator,
          recorder,
          new ShortLivedData(Optional.of(CVC_LIFETIME)));
  public final ManageTenants tenants =
      new ManageTenants(
          stores.tenants(), stores.applications(), wrapper, hasher, recorder, randomness);
  public final ReadLogs logs = new ReadLogs(stores.auditLog(), recorder);
  public final DeleteExpired sweep =
      new DeleteExpired(stores.applications(), stores.tokens(), stores.requestJournal());

  public final IssuedTenant tenant = tenants.create(new ResourceName("a tenant"));

  /** Admits an invocation whose caller supplies the URL. */
  public Admission admit(ApiKey key) {
    return invocations.admit(Optional.of(text(key)), Optional.empty());
  }

  public Map<String, SensitiveValue> begin(
      Admission admission, Destination destination, TokenId... ids) {
    Set<String> tokenIds = Stream.of(ids).map(TokenId::value).collect(Collectors.toSet());
    return invocations.begin(admission, destination, tokenIds, MemoryReservation.UNBOUNDED);
  }

  public CreatedToken create(AuthenticatedCaller caller, Draft draft) {
    return createTokens.create(caller, draft.toDraft(), new Violations());
  }

  /** Creates a batch of tokens with the paths {@code items[0]} and so on. */
  public List<CreatedToken> createAll(Caller caller, Draft... drafts) {
    return createTokens.createAll(
        caller,
        Stream.of(drafts).map(Draft::toDraft).toList(),
        IntStream.range(0, drafts.length).mapToObj(i -> "items[" + i + "]").toList(),
        new Violations(),
        MemoryReservation.UNBOUNDED);
  }

  public TokenView change(Caller caller, TokenId id, Patch patch) {
    return changeTokens.change(caller, id, patch.toPatch(), new Violations());
  }

  /** Lists all tokens that the caller may see. */
  public Page<TokenView> list(Caller caller) {
    return tokens.list(caller, TokenQuery.everything(), new PageRequest(1, 20));
  }

  /** Detokenizes a template of one expression. */
  public JsonValue detokenize(Caller caller, TokenId id) {
    return detokenize(caller, "\"{{" + id.value() + "}}\"");
  }

  public JsonValue detokenize(Caller caller, String template) {
    return tokens.detokenize(caller, Draft.json(template));
  }

  public void changeEgress(UnaryOperator<TenantEgress> change) {
    changeEgress(tenantId(), change);
  }

  public void changeEgress(TenantId tenantId, UnaryOperator<TenantEgress> change) {
    assertThat(tenants.changeEgress(tenantId, change, "Destinations changed")).isPresent();
  }

  public void bind(String container, String host) {
    changeEgress(egress -> egress.with(Samples.binding(container, host)));
  }

  public void advanceClock(Duration time) {
    now = now.plus(time);
  }

  public TenantId tenantId() {
    return tenant.tenantId();
  }

  /** Returns a caller with all management permissions. */
  public Caller manager() {
    return caller(tenant.key());
  }

  public Caller caller(ApiKey key) {
    return authenticator.authenticate(Optional.of(text(key)), Requirement.VALID_KEY);
  }

  /** Returns a caller with direct permissions. */
  public Caller caller(Permission... permissions) {
    return caller(key(permissions));
  }

  /** Returns a caller with one access rule. */
  public Caller caller(String container, AccessTransform transform, Permission... permissions) {
    return caller(key(container, transform, permissions));
  }

  public Caller caller(AccessPolicy policy) {
    return caller(key(ApplicationType.PRIVATE, policy));
  }

  public ApiKey key(Permission... permissions) {
    return key(ApplicationType.PRIVATE, new AccessPolicy(List.of(permissions), List.of()));
  }

  public ApiKey key(String container, AccessTransform transform, Permission... permissions) {
    return key(ApplicationType.PRIVATE, rule(container, transform, permissions));
  }

  public Caller caller(ApplicationType type, Permission... permissions) {
    return caller(key(type, new AccessPolicy(List.of(permissions), List.of())));
  }

  /** Returns the key of a new application of the tenant. */
  public ApiKey key(ApplicationType type, AccessPolicy policy) {
    return key(tenantId(), type, Samples.settings("an application", policy));
  }

  /** Returns a caller of another tenant, with a rule for all containers. */
  public Caller callerOfOtherTenant(Permission... permissions) {
    AccessPolicy policy = rule("/", AccessTransform.REVEAL, permissions);
    return caller(
        key(
            otherTenant().tenantId(),
            ApplicationType.PRIVATE,
            Samples.settings("of another tenant", policy)));
  }

  /** Returns the key of an application that may create expiring ones. */
  public ApiKey delegatorKey(AccessPolicy policy) {
    return key(
        tenantId(),
        ApplicationType.PRIVATE,
        new ApplicationSettings(new ResourceName("delegator"), policy, Optional.of(true)));
  }

  /** Returns the key of an application that may read tokens and expires in a minute. */
  public ApiKey expiringKey(Caller creator) {
    AccessPolicyDraft policy = new AccessPolicyDraft(List.of("token:read"), null);
    ApplicationDraft draft = new ApplicationDraft("expiring", "expiring", policy, null, null);
    return applications.create(creator, draft, new Violations()).key();
  }

  /** Generates a new key; the earlier one stays valid during the grace period. */
  public ApiKey regenerate(ApplicationId id, KeyGrace grace) {
    return applications.regenerate(manager(), id, grace, ExpectedVersion.ANY).key();
  }

  public IssuedTenant otherTenant() {
    return tenants.create(new ResourceName("other"));
  }

  public ApiKey key(TenantId tenantId, ApplicationType type, ApplicationSettings settings) {
    ApiKey key = ApiKey.generate(randomness);
    stores
        .applications()
        .create(
            new NewApplication(
                new ApplicationId(UUID.randomUUID()),
                tenantId,
                new ApplicationDraft.Valid(type, settings, Optional.empty(), Optional.empty()),
                Optional.empty(),
                hasher.hash(key)),
            Samples.entry(tenantId, "application made"));
    return key;
  }

  public static AccessPolicy rule(
      String container, AccessTransform transform, Permission... permissions) {
    return rules(rule(1, container, transform, permissions));
  }

  public static AccessPolicy rules(AccessRule... rules) {
    return new AccessPolicy(List.of(), List.of(rules));
  }

  public static AccessRule rule(
      int priority, String container, AccessTransform transform, Permission... permissions) {
    return rule(priority, new InContainer(new Container(container)), transform, permissions);
  }

  public static AccessRule rule(
      int priority, TokenSelector selector, AccessTransform transform, Permission... permissions) {
    return new AccessRule("rule " + priority, priority, selector, transform, List.of(permissions));
  }

  /** Returns a policy that allows creating tokens whose ids have a prefix, and masks them. */
  public static AccessPolicy createsIds(String prefix) {
    Condition condition = new Condition(Attribute.ID, Operator.STARTS_WITH, prefix);
    return rules(
        rule(1, new MeetsAll(List.of(condition)), AccessTransform.MASK, Permission.TOKEN_CREATE));
  }

  public TokenId token(String container, String data) {
    return token(Draft.of(data).in(container)).id();
  }

  public Token token(Draft draft) {
    return create(caller(Permission.TOKEN_CREATE), draft).view().token();
  }

  /** Revokes all permissions of an application. */
  public void revokePermissions(Caller caller) {
    replacePolicy(caller, AccessPolicy.none());
  }

  /** Replaces the access policy of an application. */
  public void replacePolicy(Caller caller, AccessPolicy policy) {
    stores
        .applications()
        .update(
            tenantId(),
            caller.application().id(),
            ExpectedVersion.ANY,
            Samples.settings("less", policy),
            Optional.empty(),
            Samples.entry(tenantId()));
  }

  public void deleteApplication(Caller caller) {
    applications.delete(manager(), caller.application().id(), ExpectedVersion.ANY);
  }

  /** Destroys the keys of the tenant. */
  public void shred() {
    stores.keys().destroy(tenantId(), Samples.entry(tenantId(), "tenant shredded"));
  }

  public static String text(ApiKey key) {
    return text(key.value());
  }

  public static String text(SensitiveValue value) {
    return new String(value.open(), StandardCharsets.UTF_8);
  }

  /** Returns the data of a view; empty if it has none. */
  public static String data(TokenView view) {
    return view.data().map(VaultFixture::text).orElse("");
  }

  /** Returns the messages of the tenant's audit log, newest first. */
  public List<String> messages() {
    return entries().stream().map(AuditEntry::message).toList();
  }

  public List<AuditEntry> entries() {
    return stores.auditLog().walk(tenantId(), LogFilter.all(), Optional.empty(), 1000).stream()
        .map(RecordedEntry::entry)
        .toList();
  }

  /** Returns the violations of a rejected request by path. */
  public static Map<String, List<String>> errors(ThrowingCallable call) {
    return catchThrowableOfType(ValidationException.class, call).errors();
  }

  public static void assertRefused(FailureCause cause, ThrowingCallable call) {
    assertThat(catchThrowable(call))
        .isInstanceOfSatisfying(
            VaultException.class, refused -> assertThat(refused.failure()).isEqualTo(cause));
  }

  /** Asserts that a call is refused and decrypts nothing. */
  public void assertRefusedUndecrypted(FailureCause cause, ThrowingCallable call) {
    int decryptions = cipher.decryptions();
    assertRefused(cause, call);
    assertThat(cipher.decryptions()).isEqualTo(decryptions);
  }

  /** Records the lookups that it forwards. */
  public static final class RecordingLookup implements RequestLookup {

    private final RequestLookup delegate;
    private final List<LookupRequest> lookups = new ArrayList<>();

    RecordingLookup(RequestLookup delegate) {
      this.delegate = delegate;
    }

    @Override
    public LookupResult load(LookupRequest lookup, MemoryReservation reservation) {
      lookups.add(lookup);
      return delegate.load(lookup, reservation);
    }

    /** Returns the lookups since the previous call. */
    public List<LookupRequest> drain() {
      List<LookupRequest> drained = List.copyOf(lookups);
      lookups.clear();
      return drained;
    }
  }

  /** A recorder that a test makes fail, return stale, or run an action first. */
  public static final class ScriptedRecorder implements AuditRecorder {

    private final AuditRecorder delegate;
    private final Deque<Runnable> actions = new ArrayDeque<>();
    private int stale;
    private boolean failing;

    ScriptedRecorder(AuditRecorder delegate) {
      this.delegate = delegate;
    }

    public void returnStale(int times) {
      stale = times;
    }

    public void fail() {
      failing = true;
    }

    /** Stops failing and drops pending actions; stale outcomes remain. */
    public void reset() {
      failing = false;
      actions.clear();
    }

    /** Runs an action once, before the next record. */
    public void beforeRecord(Runnable action) {
      actions.add(action);
    }

    @Override
    public Outcome record(List<AuditEntry> entries, Preconditions versions) {
      if (!actions.isEmpty()) {
        actions.remove().run();
      }
      if (failing) {
        throw RefusedException.unavailable(null);
      }
      if (stale > 0) {
        stale--;
        return Outcome.STALE;
      }
      return delegate.record(entries, versions);
    }
  }
}
