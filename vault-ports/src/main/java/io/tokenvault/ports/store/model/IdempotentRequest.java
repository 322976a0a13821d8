package io.tokenvault.ports.store.model;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TokenHash;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A request that its client may send again, and says so by a key of its own choice. No store sees
 * more of it than keyed hashes.
 *
 * @param id what it is kept as, if it is the first
 * @param places hashes of method, path and idempotency key, under every version of the tenant's
 *     key, the current one first
 * @param contents hashes of all else that counts, in the same order
 * @param keyCount how many keys the tenant has: under a newer one, the same request would not be
 *     found
 * @param kept for how long it is known after it came
 */
public record IdempotentRequest(
    TenantId tenantId,
    ApplicationId applicationId,
    UUID id,
    List<TokenHash> places,
    List<TokenHash> contents,
    int keyCount,
    Duration kept) {

  public IdempotentRequest {
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(applicationId, "applicationId");
    Objects.requireNonNull(id, "id");
    places = List.copyOf(places);
    contents = List.copyOf(contents);
    Objects.requireNonNull(kept, "kept");
    if (places.isEmpty() || contents.isEmpty()) {
      throw new IllegalArgumentException("a request is found and compared by hashes");
    }
  }

  /** The same under all versions of keys that there will ever be. */
  public String oldestPlace() {
    return places.get(places.size() - 1).hex();
  }
}
