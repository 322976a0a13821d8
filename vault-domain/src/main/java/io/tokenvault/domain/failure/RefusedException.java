package io.tokenvault.domain.failure;

/**
 * Reports a failure with one cause and one sentence for the caller. It is used for every failure
 * without a more specific exception.
 */
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
   * Returns a failure that is identical for callers but has another description in the audit log.
   *
   * @param recorded a fixed string
   */
  public RefusedException recordedAs(String recorded) {
    return new RefusedException(failure(), getMessage(), getCause(), recorded);
  }

  @Override
  public String outcome() {
    return outcome;
  }

  /**
   * Returns a description of any failure for the log: the sentence of a refusal, or the class of
   * another exception, whose message could contain data.
   */
  public static String describe(Throwable failure) {
    return failure instanceof RefusedException
        ? failure.getMessage()
        : failure.getClass().getName();
  }

  /** Returns the failure for resources that do not exist, including those of other tenants. */
  public static RefusedException notFound() {
    return new RefusedException(
        FailureCause.NOT_FOUND, "The resource does not exist, or this API key cannot see it.");
  }

  /**
   * Returns the failure for a new key while too many earlier keys are valid.
   *
   * @param most the maximum number of earlier keys
   */
  public static RefusedException tooManyKeys(int most) {
    return new RefusedException(
        FailureCause.TOO_MANY_KEYS,
        "At most "
            + most
            + " earlier keys of an application may be in their grace periods at a time. Wait"
            + " until one ends, or regenerate without a grace period.");
  }

  /** Returns the failure for a tenant whose keys were destroyed. */
  public static RefusedException tenantShredded() {
    return new RefusedException(
        FailureCause.TENANT_SHREDDED,
        "The keys of this tenant were destroyed; its data can no longer be read or written.");
  }

  /**
   * Returns the failure for a store that cannot be reached.
   *
   * @param cause for the log only
   */
  public static RefusedException unavailable(Throwable cause) {
    return new RefusedException(
        FailureCause.STORE_UNAVAILABLE, "The database cannot be reached; try again.", cause);
  }
}
