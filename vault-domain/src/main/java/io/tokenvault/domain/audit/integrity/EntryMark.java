package io.tokenvault.domain.audit.integrity;

import java.util.UUID;

/**
 * The proof that the vault wrote an entry.
 *
 * @param entryId unique, so that copies of an entry are detected
 * @param mac the MAC over this id and the content
 */
public record EntryMark(UUID entryId, LogTag mac) {}
