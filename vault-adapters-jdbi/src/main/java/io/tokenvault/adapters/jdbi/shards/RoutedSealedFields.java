package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.SealedFields;
import io.tokenvault.ports.spi.StoredField;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Sealed values, each in the database of its tenant. */
record RoutedSealedFields(Shards shards) implements SealedFields {

  private <T> T ask(TenantId tenantId, Function<SealedFields, T> question) {
    return shards.of(tenantId).ask(ports -> question.apply(ports.stores().sealedFields()));
  }

  @Override
  public List<StoredField> stale(
      TenantId tenantId, int currentVersion, Optional<SealedField> after, int limit) {
    return ask(tenantId, store -> store.stale(tenantId, currentVersion, after, limit));
  }

  @Override
  public boolean replace(StoredField from, Sealed to) {
    return ask(from.field().tenantId(), store -> store.replace(from, to));
  }

  @Override
  public Map<Integer, Long> countByVersion(TenantId tenantId) {
    return ask(tenantId, store -> store.countByVersion(tenantId));
  }
}
