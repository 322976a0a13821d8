package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationStore.Deletion;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.ProxyStore.Change;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.TokenStore.Creation.Done;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import io.tokenvault.ports.store.model.NewApplication;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Base class of the suites for stores, with two tenants and helper methods. */
@ExtendWith(BrokenLaw.class)
public abstract class StoreContract implements StoreFixture.Source {

  /** A string that must not appear in any failure. */
  protected static final String MARKER = "planted-4f0c2e";

  /** Enables long tests and more iterations of property tests. */
  protected static final boolean IS_FULL = "full".equals(System.getProperty("vault.test.size"));

  protected static final PageRequest FIRST_PAGE = new PageRequest(1, 100);

  /** The id of the application that makes the changes. */
  protected static final UUID CHANGER = UUID.fromString("c4a93e5e-0000-4000-8000-00000000cafe");

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  protected StoreFixture fixture;
  protected VaultStores stores;
  protected TenantId tenant;
  protected TenantId otherTenant;

  @BeforeEach
  void openStoresWithTwoTenants() {
    fixture = openFixture();
    stores = fixture.stores();
    tenant = newTenant();
    otherTenant = newTenant();
  }

  @AfterEach
  void closeFixture() {
    fixture.close();
  }

  protected TenantId newTenant() {
    TenantId id = Samples.tenantId();
    stores.tenants().create(Samples.tenant(id), List.of(Samples.entry(id, "tenant created")));
    return id;
  }

  protected Application createApplication(NewApplication application) {
    return stores
        .applications()
        .create(application, Samples.entry(application.tenantId(), "application created"));
  }

  protected Optional<Application> updateApplication(TenantId tenantId, ApplicationId id) {
    return stores
        .applications()
        .update(
            tenantId,
            id,
            ExpectedVersion.ANY,
            Samples.settings("new"),
            Optional.of(CHANGER),
            Samples.entry(tenantId, "updated"));
  }

  protected Optional<Application> replaceKey(TenantId tenantId, ApplicationId id, KeyHash hash) {
    AuditEntry entry = Samples.entry(tenantId, "key replaced");
    return stores.applications().replaceKey(tenantId, id, hash, Optional.of(CHANGER), entry);
  }

  protected Deletion deleteApplication(TenantId tenantId, ApplicationId id) {
    AuditEntry entry = Samples.entry(tenantId, "deleted");
    return stores.applications().delete(tenantId, id, ExpectedVersion.ANY, entry);
  }

  protected StoredProxy createProxy(NewProxy proxy) {
    AuditEntry entry = Samples.entry(proxy.tenantId(), "proxy created");
    return ((Change.Stored) stores.proxies().create(proxy, entry)).proxy();
  }

  protected Token createToken(NewToken token) {
    return storeToken(token).token();
  }

  protected StoredToken storeToken(NewToken token) {
    return store(token).orElseThrow().token();
  }

  /** Stores a token; returns empty if its id is taken. */
  protected Optional<Outcome> store(NewToken token) {
    return stores.tokens().create(List.of(token), Samples::expiry) instanceof Done done
        ? Optional.of(done.outcomes().get(0))
        : Optional.empty();
  }

  protected Optional<StoredToken> updateToken(
      TenantId tenantId, TokenId id, long version, TokenUpdate update) {
    List<AuditEntry> entries =
        List.of(Samples.entry(tenantId, "changed"), Samples.entry(tenantId, "shown"));
    return stores.tokens().update(tenantId, id, version, update, entries);
  }

  protected boolean deleteToken(TenantId tenantId, TokenId id, long version) {
    return stores.tokens().delete(tenantId, id, version, Samples.entry(tenantId, "deleted"));
  }

  protected boolean deleteToken(Token token) {
    return deleteToken(token.tenantId(), token.id(), token.version());
  }

  /** Returns the first page of a tenant's tokens. */
  protected Page<StoredToken> listTokens(TenantId tenantId, TokenQuery query) {
    return listTokens(tenantId, query, TokenScope.everything(), FIRST_PAGE);
  }

  protected Page<StoredToken> listTokens(
      TenantId tenantId, TokenQuery query, TokenScope scope, PageRequest request) {
    return stores.tokens().list(tenantId, query, scope, request, MemoryReservation.UNBOUNDED);
  }

  protected boolean addKeys(WrappedKey... keys) {
    return stores.keys().add(tenant, List.of(keys), Samples.entry(tenant, "added"));
  }

  protected boolean destroyKeys(TenantId tenantId) {
    return stores.keys().destroy(tenantId, Samples.entry(tenantId, "destroyed"));
  }

  protected boolean deleteTenant(TenantId tenantId) {
    return stores.tenants().delete(tenantId, Samples.entry(tenantId, "deleted"));
  }

  protected LookupResult load(LookupRequest request) {
    return stores.lookup().load(request, MemoryReservation.UNBOUNDED);
  }

  protected LookupResult load(List<KeyHash> apiKey, List<KeyHash> proxyKey, TokenId... tokens) {
    return load(new LookupRequest(apiKey, proxyKey, Set.of(tokens)));
  }

  /** Returns the caller whose key has one of these hashes. */
  protected Optional<LoadedCaller> caller(KeyHash... hashes) {
    return load(List.of(hashes), List.of()).caller();
  }

  /** Returns the proxy whose key has this hash. */
  protected Optional<LoadedProxy> invoked(KeyHash hash) {
    return load(List.of(), List.of(hash)).proxy();
  }

  /** Runs a change and returns false if its expected version does not match. */
  protected static boolean isMade(Runnable change) {
    try {
      change.run();
      return true;
    } catch (RefusedException refused) {
      assertThat(refused.failure()).isEqualTo(FailureCause.PRECONDITION_FAILED);
      return false;
    }
  }

  /** Asserts that a call reserves memory and fails if the reservation does. */
  protected static void assertReservesMemory(Consumer<MemoryReservation> call) {
    RefusedException failure = new RefusedException(FailureCause.OVERLOADED, "no memory");
    assertThatThrownBy(
            () ->
                call.accept(
                    bytes -> {
                      throw failure;
                    }))
        .isSameAs(failure);
  }

  /** Asserts that the reserved bytes cover the size and exceed it by little. */
  protected static void assertReservationFits(long reserved, long size, int items) {
    assertThat(reserved).isBetween(size, 2 * size + 2000L * items);
  }

  /** Returns the time of the store's clock. */
  protected Instant now() {
    return load(List.of(), List.of()).now();
  }

  /**
   * Returns a time that tests can wait for. Behavior before expiry is tested with {@link
   * #farFuture}.
   */
  protected Instant soon() {
    return now().plusMillis(100);
  }

  /** Returns a time after the end of every test. */
  protected Instant farFuture() {
    return now().plusSeconds(3600);
  }

  /** Returns the result of work that must finish in time; retries it with longer durations. */
  protected static <T> T finishInTime(Function<Duration, Optional<T>> work) {
    return Stream.of(250, 1000, 4000, 16_000)
        .map(Duration::ofMillis)
        .map(work)
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the work did not finish in time"));
  }

  protected void waitUntil(Instant moment) {
    fixture.putClockForward(moment);
    poll(() -> !now().isBefore(moment));
  }

  protected static void poll(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  protected List<String> messages(TenantId tenantId) {
    return stores.auditLog().walk(tenantId, LogFilter.all(), Optional.empty(), 1000).stream()
        .map(RecordedEntry::entry)
        .map(entry -> entry.message())
        .toList();
  }

  protected void assertUnavailable(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isInstanceOf(RefusedException.class);
    assertThat(((RefusedException) failure).failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE);
    assertThat(stackTrace(failure)).doesNotContain(MARKER);
  }

  private static String stackTrace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  protected static EncryptedValue randomBytes(int size) {
    byte[] bytes = new byte[size];
    ThreadLocalRandom.current().nextBytes(bytes);
    return new EncryptedValue(1, bytes);
  }

  protected static EncryptedValue marked() {
    return new EncryptedValue(1, MARKER.getBytes(StandardCharsets.UTF_8));
  }
}
