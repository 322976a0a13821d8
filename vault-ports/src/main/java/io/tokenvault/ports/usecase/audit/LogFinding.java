package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A difference between the audit log and the state in which the vault wrote it, which indicates
 * tampering or loss.
 *
 * @param chainLink the number of the chain link by which it was found
 * @param place the place where the entry is or was
 * @param checkpoint the time of the checkpoint by which it was found
 */
public record LogFinding(
    Kind kind,
    TenantId tenantId,
    OptionalLong chainLink,
    Optional<EntryPlace> place,
    Optional<Instant> checkpoint) {

  /** The kinds of findings. */
  public enum Kind {
    /** A chained entry does not exist. */
    ENTRY_MISSING("an entry of the chain is missing"),
    /**
     * More entries of a dropped month are missing than it had; the finding names the first excess
     * one.
     */
    DROP_CONTRADICTED("more entries of a deleted month are missing than it had"),
    /** An entry does not match its MAC. */
    ENTRY_CHANGED("an entry was changed, or was not written by the vault"),
    /** An entry lacks a MAC although the vault writes one for every entry. */
    ENTRY_WITHOUT_MAC("an entry has no MAC"),
    /** An entry exists at a place that chaining had already passed. */
    ENTRY_INSERTED("an entry was inserted into a period that was already chained"),
    /** An entry exists more than once. */
    ENTRY_COPIED("an entry is a copy of another"),
    /**
     * The MACs of the entries are valid, but they are not the chained entries, or not in that
     * order.
     */
    SEAL_BROKEN("the entries of a chain link were replaced or moved"),
    /** A chain link does not match its MAC. */
    SEAL_CHANGED("a chain link was changed, or was not written by the vault"),
    /** Links before this one do not exist. */
    SEAL_MISSING("the previous chain link is missing"),
    /** The chain is shorter than a checkpoint attests. */
    TAIL_MISSING("chain links up to the checkpoint are missing; this is the last one"),
    /** The chain differs from the one that a checkpoint attests. */
    CHECKPOINT_CONTRADICTED("a chain link differs from the checkpoint");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Returns a description for the operator. */
    public String text() {
      return text;
    }
  }

  static LogFinding atPlace(Kind kind, TenantId tenantId, EntryPlace place) {
    return new LogFinding(
        kind, tenantId, OptionalLong.empty(), Optional.of(place), Optional.empty());
  }

  static LogFinding atLink(Kind kind, TenantId tenantId, long chainLink) {
    return new LogFinding(
        kind, tenantId, OptionalLong.of(chainLink), Optional.empty(), Optional.empty());
  }

  LogFinding inLink(long number) {
    return new LogFinding(kind, tenantId, OptionalLong.of(number), place, checkpoint);
  }

  LogFinding by(Instant checkpointTime) {
    return new LogFinding(kind, tenantId, chainLink, place, Optional.of(checkpointTime));
  }
}
