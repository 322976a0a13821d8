package io.tokenvault.domain.audit.integrity;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.tenant.TenantId;
import java.util.Objects;
import java.util.Optional;

/**
 * A row of the log, as it is found, for sealing and verifying.
 *
 * @param mark what shows that the vault wrote it; empty where a version wrote it that had none
 */
public record StoredEntry(EntryPlace place, EntryContent content, Optional<EntryMark> mark) {
  public StoredEntry {
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(mark, "mark");
  }

  public TenantId tenantId() {
    return content.tenantId();
  }
}
