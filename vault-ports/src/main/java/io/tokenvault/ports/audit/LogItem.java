package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.Optional;

/** An item of the audit log and its hash chains as it was read; nothing in it has been verified. */
public sealed interface LogItem {

  /** The record that a month was dropped. */
  record Drop(PartitionDrop drop) implements LogItem {}

  /**
   * A chain link with its entries.
   *
   * @param entries in the order of the link's places; empty for an absent entry
   */
  record Link(ChainLink chainLink, List<Optional<StoredEntry>> entries) implements LogItem {
    public Link {
      entries = List.copyOf(entries);
      if (entries.size() != chainLink.places().size()) {
        throw new IllegalArgumentException("a chain link has as many entries as places");
      }
    }
  }

  /**
   * An entry that no chain link contains.
   *
   * @param passed whether chaining has passed the place of the entry, and should have found it
   */
  record Unchained(StoredEntry entry, boolean passed) implements LogItem {}

  /** One of several entries that share an id. */
  record Copy(TenantId tenantId, EntryPlace place) implements LogItem {}
}
