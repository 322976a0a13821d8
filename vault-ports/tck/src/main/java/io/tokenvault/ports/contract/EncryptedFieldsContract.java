package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.EncryptedFields.StoredField;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link EncryptedFields}. */
public abstract class EncryptedFieldsContract extends StoreContract {

  private static final int CURRENT = 2;

  private EncryptedFields fields;
  private NewToken token;
  private StoredToken storedToken;
  private NewProxy proxy;

  @BeforeEach
  void storeTokenAndProxyUnderFirstKey() {
    fields = stores.encryptedFields();
    token =
        Samples.token(
            tenant,
            new EncryptedContent(
                Samples.encrypted("data"),
                Optional.of(new ShortLived(Samples.encrypted("part"), Duration.ofHours(1))),
                Optional.of(Samples.encrypted("expressions")),
                Samples.fingerprint(),
                List.of()));
    storedToken = storeToken(token);
    proxy = Samples.proxyWithTransforms(tenant);
    createProxy(proxy);
  }

  private static EncryptedValue reencrypted(String text) {
    return new EncryptedValue(CURRENT, text.getBytes(StandardCharsets.UTF_8));
  }

  private List<StoredField> stale() {
    return fields.stale(tenant, CURRENT, Optional.empty(), 100);
  }

  @Test
  void everyFieldUnderOlderKeyIsStale() {
    assertThat(stale())
        .containsExactlyInAnyOrder(
            new StoredField(
                FieldBinding.tokenData(tenant, storedToken.token().id()),
                Samples.encrypted("data")),
            new StoredField(
                FieldBinding.tokenShortLivedData(tenant, storedToken.token().id()),
                Samples.encrypted("part")),
            new StoredField(
                FieldBinding.tokenExpressions(tenant, storedToken.token().id()),
                Samples.encrypted("expressions")),
            new StoredField(FieldBinding.proxyKey(tenant, proxy.id()), proxy.key()),
            new StoredField(
                FieldBinding.proxyConfiguration(tenant, proxy.id()), proxy.configuration()),
            transform(TransformKind.REQUEST),
            transform(TransformKind.RESPONSE));
  }

  private StoredField transform(TransformKind kind) {
    return new StoredField(
        FieldBinding.proxyTransform(tenant, proxy.id(), kind),
        proxy.transforms().get(kind).content());
  }

  @Test
  void absentProxyFieldsAreNotStale() {
    TenantId third = newTenant();
    createProxy(Samples.proxy(third));

    assertThat(fields.stale(third, CURRENT, Optional.empty(), 100)).hasSize(2);
    assertThat(fields.countByVersion(third)).isEqualTo(Map.of(1, 2L));
  }

  @Test
  void transformReplacementPreservesEverythingElse() {
    StoredProxy before = stores.proxies().find(tenant, proxy.id()).orElseThrow();
    assertThat(fields.replace(transform(TransformKind.RESPONSE), reencrypted("new"))).isTrue();

    StoredProxy after = stores.proxies().find(tenant, proxy.id()).orElseThrow();

    assertThat(after)
        .isEqualTo(
            new StoredProxy(
                before.proxy(),
                before.key(),
                before.configuration(),
                Map.of(
                    TransformKind.REQUEST,
                    before.transforms().get(TransformKind.REQUEST),
                    TransformKind.RESPONSE,
                    new EncryptedTransform(
                        reencrypted("new"),
                        before.transforms().get(TransformKind.RESPONSE).compiler()))));
  }

  @Test
  void recompiledTransformIsNotReplaced() {
    EncryptedTransform recompiled = Samples.transform("recompiled", "compiler/9");
    stores.proxies().replaceCompiled(tenant, proxy.id(), 1, TransformKind.REQUEST, recompiled);

    assertThat(fields.replace(transform(TransformKind.REQUEST), reencrypted("new"))).isFalse();

    assertThat(stores.proxies().find(tenant, proxy.id()).orElseThrow().transforms())
        .containsEntry(TransformKind.REQUEST, recompiled);
  }

  @Test
  void fieldsUnderCurrentKeyOrOfOtherTenantsAreNotStale() {
    assertThat(fields.stale(tenant, 1, Optional.empty(), 100)).isEmpty();
    assertThat(fields.stale(otherTenant, CURRENT, Optional.empty(), 100)).isEmpty();
    assertThat(fields.countByVersion(otherTenant)).isEmpty();
  }

  @Test
  void resultRespectsRequestedLimit() {
    assertThat(fields.stale(tenant, CURRENT, Optional.empty(), 2)).hasSize(2);
  }

  @Test
  void walkVisitsEachFieldOnceDespiteReplacements() {
    List<StoredField> all = stale();
    List<StoredField> visited = new ArrayList<>();
    List<StoredField> batch = fields.stale(tenant, CURRENT, Optional.empty(), 2);
    while (!batch.isEmpty()) {
      visited.addAll(batch);
      assertThat(visited).hasSizeLessThanOrEqualTo(all.size());
      StoredField last = batch.get(batch.size() - 1);
      assertThat(fields.replace(last, reencrypted("new"))).isTrue();
      batch = fields.stale(tenant, CURRENT, Optional.of(last.field()), 2);
    }

    assertThat(visited).containsExactlyElementsOf(all);
    assertThat(stale()).hasSize(3);
  }

  @Test
  void walkVisitsFieldsOfAllRecords() {
    for (int i = 0; i < 20; i++) {
      storeToken(Samples.token(tenant));
      createProxy(Samples.proxy(tenant));
    }
    List<StoredField> all = stale();
    List<StoredField> visited = new ArrayList<>();
    Optional<FieldBinding> reached = Optional.empty();
    for (int i = 0; i < all.size(); i++) {
      visited.addAll(fields.stale(tenant, CURRENT, reached, 1));
      reached = Optional.of(visited.get(i).field());
    }

    assertThat(visited).containsExactlyElementsOf(all).doesNotHaveDuplicates();
    assertThat(fields.stale(tenant, CURRENT, reached, 1)).isEmpty();
  }

  @Test
  void replacedFieldIsNoLongerStaleAndCountsAsNewVersion() {
    for (StoredField field : stale()) {
      assertThat(fields.replace(field, reencrypted("new " + field.field().field()))).isTrue();
    }
    assertThat(stale()).isEmpty();
    assertThat(fields.countByVersion(tenant)).isEqualTo(Map.of(CURRENT, 7L));
    assertThat(fields.stale(tenant, CURRENT + 1, Optional.empty(), 100))
        .allSatisfy(
            field ->
                assertThat(field.encrypted())
                    .isEqualTo(reencrypted("new " + field.field().field())));
  }

  @Test
  void alreadyReplacedFieldIsNotReplacedAgain() {
    StoredField field = stale().get(0);
    assertThat(fields.replace(field, reencrypted("first"))).isTrue();
    assertThat(fields.replace(field, reencrypted("second"))).isFalse();
    assertThat(fields.stale(tenant, CURRENT + 1, Optional.empty(), 100))
        .contains(new StoredField(field.field(), reencrypted("first")));
  }

  @Test
  void fieldOfAnotherTenantIsNotReplaced() {
    FieldBinding moved = FieldBinding.tokenData(otherTenant, storedToken.token().id());
    assertThat(fields.replace(new StoredField(moved, Samples.encrypted("data")), reencrypted("x")))
        .isFalse();
    assertThat(fields.countByVersion(tenant)).isEqualTo(Map.of(1, 7L));
  }

  @Test
  void fieldReplacementPreservesTokenVersion() {
    stale().forEach(field -> fields.replace(field, reencrypted("new")));
    assertThat(deleteToken(storedToken.token())).isTrue();
  }

  @Test
  void oneConcurrentReplacementOfFieldSucceeds() {
    StoredField field = stale().get(0);
    assertThat(Race.run(i -> fields.replace(field, reencrypted("runner " + i))))
        .containsOnlyOnce(true);
  }

  @Test
  void brokenConnectionReportsUnavailable() {
    fixture.breakConnection();
    EncryptedFields broken = stores.encryptedFields();
    assertUnavailable(() -> broken.stale(tenant, CURRENT, Optional.empty(), 100));
    assertUnavailable(() -> broken.countByVersion(tenant));
    assertUnavailable(
        () ->
            broken.replace(
                new StoredField(FieldBinding.tokenData(tenant, storedToken.token().id()), marked()),
                marked()));
  }
}
