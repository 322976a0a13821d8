package io.tokenvault.domain.proxy;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.domain.secret.ProxyKey;
import java.util.Map;
import java.util.Objects;

/**
 * An update of a proxy as a client wrote it.
 *
 * @param draft replaces the proxy's properties
 * @param unchanged read-only properties that the client sent back
 */
public record ProxyUpdate(ProxyDraft draft, UnchangedFields unchanged) {
  public ProxyUpdate {
    Objects.requireNonNull(draft, "draft");
    Objects.requireNonNull(unchanged, "unchanged");
  }

  /** Adds a violation for each read-only property that does not have its stored value. */
  public void checkUnchanged(Proxy known, ProxyKey key, Violations violations) {
    Map<String, Object> stored = known.provenance().creation();
    stored.put("id", known.id().value());
    stored.put("tenant_id", known.tenantId().value());
    stored.put("key", key.value());
    unchanged.check(stored, violations);
  }
}
