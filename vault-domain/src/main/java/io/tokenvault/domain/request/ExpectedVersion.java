package io.tokenvault.domain.request;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.util.Optional;
import java.util.Set;

/**
 * The versions of a resource that a client expects ({@code If-Match}), so that no concurrent change
 * is overwritten unnoticed.
 *
 * @param anyOf the accepted versions; empty for any version; an empty set accepts none
 */
public record ExpectedVersion(Optional<Set<Long>> anyOf) {

  /** Accepts any version. */
  public static final ExpectedVersion ANY = new ExpectedVersion(Optional.empty());

  public ExpectedVersion {
    anyOf = anyOf.map(Set::copyOf);
  }

  /** Returns an expectation that accepts only these versions. */
  public static ExpectedVersion oneOf(Set<Long> versions) {
    return new ExpectedVersion(Optional.of(versions));
  }

  /** Returns an expectation that accepts only this version. */
  public static ExpectedVersion exactly(long version) {
    return oneOf(Set.of(version));
  }

  /**
   * Checks the version of a resource. The update must then ensure that the resource still has this
   * version.
   *
   * @throws RefusedException with cause {@code PRECONDITION_FAILED} if it is not accepted
   */
  public void require(long version) {
    if (anyOf.isPresent() && !anyOf.get().contains(version)) {
      throw new RefusedException(
          FailureCause.PRECONDITION_FAILED,
          "The resource has another version than If-Match requires. Nothing was changed. Read it"
              + " again before you change it.");
    }
  }
}
