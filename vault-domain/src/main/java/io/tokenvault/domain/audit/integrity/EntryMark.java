package io.tokenvault.domain.audit.integrity;

import java.util.Objects;
import java.util.UUID;

/**
 * What shows that the vault wrote an entry.
 *
 * @param entryId unique, so that a copy of an entry is one
 * @param mac over this id and the content
 */
public record EntryMark(UUID entryId, LogTag mac) {
  public EntryMark {
    Objects.requireNonNull(entryId, "entryId");
    Objects.requireNonNull(mac, "mac");
  }
}
