package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Something in the log is not as the vault has left it.
 *
 * @param seal the number of the seal that it was found by
 * @param place where the entry is, or was
 * @param checkpoint the time of the checkpoint that it was found by
 */
public record LogFinding(
    Kind kind,
    TenantId tenantId,
    OptionalLong seal,
    Optional<EntryPlace> place,
    Optional<Instant> checkpoint) {

  /** What was found. */
  public enum Kind {
    /** A sealed entry is not there. */
    ENTRY_MISSING("a sealed entry is not there"),
    /** More entries of a dropped month are gone than it had; this is the first that is too many. */
    DROP_CONTRADICTED("more sealed entries of a dropped month are not there than it had"),
    /** An entry does not fit its MAC. */
    ENTRY_CHANGED("an entry is not as it was written, or was not written by the vault"),
    /** An entry has no MAC though the vault writes none without. */
    ENTRY_WITHOUT_MAC("an entry has no MAC"),
    /** An entry was put where the sealer had been already. */
    ENTRY_INSERTED("an entry is there that was not when its time was sealed"),
    /** An entry is there more than once. */
    ENTRY_COPIED("an entry is a copy of another, or the other of this"),
    /** Entries have MACs, but are not those that were sealed, or not in that order. */
    SEAL_BROKEN("the entries of a seal are not those that were sealed, or at other places"),
    /** A seal does not fit its MAC. */
    SEAL_CHANGED("a seal is not as it was written, or was not written by the vault"),
    /** Seals are not there that others follow. */
    SEAL_MISSING("the seal before this one is not there"),
    /** The chain is shorter than a checkpoint says. */
    TAIL_MISSING("seals are not there that the checkpoint knows of; this is the last"),
    /** The chain is another one than a checkpoint says. */
    CHECKPOINT_CONTRADICTED("a seal is not the one that the checkpoint knows of");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** In words. */
    public String text() {
      return text;
    }
  }

  public LogFinding {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(tenantId, "tenantId");
    Objects.requireNonNull(seal, "seal");
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(checkpoint, "checkpoint");
  }

  static LogFinding atPlace(Kind kind, TenantId tenantId, EntryPlace place) {
    return new LogFinding(
        kind, tenantId, OptionalLong.empty(), Optional.of(place), Optional.empty());
  }

  static LogFinding atSeal(Kind kind, TenantId tenantId, long seal) {
    return new LogFinding(
        kind, tenantId, OptionalLong.of(seal), Optional.empty(), Optional.empty());
  }

  LogFinding inSeal(long number) {
    return new LogFinding(kind, tenantId, OptionalLong.of(number), place, checkpoint);
  }

  LogFinding by(Instant checkpointTime) {
    return new LogFinding(kind, tenantId, seal, place, Optional.of(checkpointTime));
  }
}
