package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A piece of the log and its seals, as it is found: nothing in it has been checked. */
public sealed interface LogItem {

  /** A month was dropped. */
  record Drop(PartitionDrop drop) implements LogItem {
    public Drop {
      Objects.requireNonNull(drop, "drop");
    }
  }

  /**
   * A seal with what it seals.
   *
   * @param entries in the order of the seal's places; empty where there is no such entry
   */
  record Link(ChainLink seal, List<Optional<StoredEntry>> entries) implements LogItem {
    public Link {
      entries = List.copyOf(entries);
      if (entries.size() != seal.places().size()) {
        throw new IllegalArgumentException("a seal has as many entries as places");
      }
    }
  }

  /**
   * An entry that no seal names.
   *
   * @param passed whether the sealer has been where it should have found it
   */
  record Loose(StoredEntry entry, boolean passed) implements LogItem {
    public Loose {
      Objects.requireNonNull(entry, "entry");
    }
  }

  /** One of several entries with the same id. */
  record Copy(TenantId tenantId, EntryPlace place) implements LogItem {
    public Copy {
      Objects.requireNonNull(tenantId, "tenantId");
      Objects.requireNonNull(place, "place");
    }
  }
}
