package io.tokenvault.ports.store.model;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TokenHash;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A request with an idempotency key. The store receives only keyed hashes of it.
 *
 * @param id the id under which the request is recorded if it is the first
 * @param places hashes of method, path and idempotency key, under every version of the tenant's
 *     key, the current one first
 * @param contents hashes of the rest of the request, in an equal order
 * @param keyCount the number of the tenant's keys; a hash under a newer key would not find the
 *     request
 * @param kept how long the request stays recorded after it was received
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

  /** Returns the place under the oldest key, which no added key changes. */
  public String oldestPlace() {
    return places.get(places.size() - 1).hex();
  }
}
