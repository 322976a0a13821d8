package io.tokenvault.domain.request;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.util.Optional;
import java.util.Set;

/**
 * The versions of a resource that a client accepts to change ({@code If-Match}), so that no change
 * of somebody else is overwritten unseen.
 *
 * @param anyOf empty for any version; an empty set accepts none
 */
public record ExpectedVersion(Optional<Set<Long>> anyOf) {

  /** Any version. */
  public static final ExpectedVersion ANY = new ExpectedVersion(Optional.empty());

  public ExpectedVersion {
    anyOf = anyOf.map(Set::copyOf);
  }

  /** Accepts these versions only. */
  public static ExpectedVersion oneOf(Set<Long> versions) {
    return new ExpectedVersion(Optional.of(versions));
  }

  /**
   * Checks the version that a resource has. Who changes the resource then makes sure that it still
   * has this version.
   *
   * @throws RefusedException of cause {@code PRECONDITION_FAILED} if it is not accepted
   */
  public void require(long version) {
    if (anyOf.isPresent() && !anyOf.get().contains(version)) {
      throw new RefusedException(
          FailureCause.PRECONDITION_FAILED,
          "The resource has a version that If-Match does not name; get it again, and decide anew"
              + " whether to change it. Nothing was changed.");
    }
  }
}
