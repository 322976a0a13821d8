package io.tokenvault.domain.audit.integrity;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.tenant.TenantId;
import java.util.Optional;

/**
 * A stored row of the audit log, for chaining and verification.
 *
 * @param mark the proof that the vault wrote it; empty for entries of older versions, which had
 *     none
 */
public record StoredEntry(EntryPlace place, EntryContent content, Optional<EntryMark> mark) {
  public TenantId tenantId() {
    return content.tenantId();
  }
}
