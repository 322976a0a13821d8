package io.tokenvault.domain.failure;

/** Every failure but a failed validation: one cause, one sentence for the caller. */
public final class RefusedException extends VaultException {

  private static final long serialVersionUID = 1L;

  private final String outcome;

  public RefusedException(FailureCause failure, String detail) {
    this(failure, detail, null);
  }

  public RefusedException(FailureCause failure, String detail, Throwable cause) {
    this(failure, detail, cause, failure.title());
  }

  private RefusedException(FailureCause failure, String detail, Throwable cause, String outcome) {
    super(failure, detail, cause);
    this.outcome = outcome;
  }

  /**
   * Returns a refusal that is identical for callers, of which the audit log says something else.
   *
   * @param recorded a fixed text
   */
  public RefusedException recordedAs(String recorded) {
    return new RefusedException(failure(), getMessage(), getCause(), recorded);
  }

  @Override
  public String outcome() {
    return outcome;
  }

  /** The one answer for unknown things and for those of other tenants. */
  public static RefusedException notFound() {
    return new RefusedException(
        FailureCause.NOT_FOUND, "There is nothing here that this key can see.");
  }

  /**
   * @param most how many earlier keys may work at the same time
   */
  public static RefusedException tooManyKeys(int most) {
    return new RefusedException(
        FailureCause.TOO_MANY_KEYS,
        "At most "
            + most
            + " earlier keys of an application may work at the same time; wait until one ends, or"
            + " regenerate without a time of grace.");
  }

  public static RefusedException tenantShredded() {
    return new RefusedException(
        FailureCause.TENANT_SHREDDED,
        "The keys of this tenant were destroyed; nothing of it can be read or written.");
  }

  public static RefusedException unavailable(Throwable cause) {
    return new RefusedException(
        FailureCause.STORE_UNAVAILABLE, "The database cannot be reached; try again.", cause);
  }
}
