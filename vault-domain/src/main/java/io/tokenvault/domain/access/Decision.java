package io.tokenvault.domain.access;

import io.tokenvault.domain.access.Decision.Basis.ByCeiling;
import io.tokenvault.domain.access.Decision.Basis.ByCreator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A decision on whether a permission may be exercised on a token, and how much of the token may be
 * shown, with the reasons: the deciding rule or permission, and why no rule of higher precedence
 * decided.
 */
public sealed interface Decision {

  /** The prefix of a rule of the application that created the caller's. */
  String CREATORS = "the creator's ";

  /** Returns the rules that did not decide, in the order in which they were evaluated. */
  List<Skipped> skipped();

  /** Returns the outcome and its basis; names a rule, never data. */
  String conclusion();

  /**
   * Returns whether the policy of the application that created the caller's decided, rather than
   * its own.
   */
  boolean isByCreator();

  /** Returns whether the permission may be exercised, and the form in which data is shown. */
  Outcome outcome();

  /** Returns the part of the caller's authority that decided. */
  Decider decidedBy();

  /** Returns one sentence for each step to the decision; names rules, never data. */
  default String explain() {
    String whose = isByCreator() ? CREATORS : "";
    return skipped().stream().map(each -> whose + each.explain()).collect(Collectors.joining())
        + conclusion();
  }

  /**
   * Allows the permission.
   *
   * @param transform the form in which responses show the data
   * @param because the deciding grant
   * @param skipped the rules that did not decide
   */
  record Allow(AccessTransform transform, Basis because, List<Skipped> skipped)
      implements Decision {
    public Allow {
      skipped = List.copyOf(skipped);
    }

    @Override
    public Outcome outcome() {
      return switch (transform) {
        case REDACT -> Outcome.REDACTED;
        case MASK -> Outcome.MASKED;
        case REVEAL -> Outcome.REVEALED;
      };
    }

    @Override
    public Decider decidedBy() {
      return because.decider();
    }

    @Override
    public boolean isByCreator() {
      return because.isByCreator();
    }

    @Override
    public String conclusion() {
      return because.explain() + " allows it (" + transform.value() + ")";
    }
  }

  /**
   * Denies the permission.
   *
   * @param reason the reason for the caller
   * @param isByCreator whether the creator's policy decided
   * @param skipped the rules that did not decide
   */
  record Deny(String reason, boolean isByCreator, List<Skipped> skipped) implements Decision {
    public Deny {
      skipped = List.copyOf(skipped);
    }

    public Deny(String reason, List<Skipped> skipped) {
      this(reason, false, skipped);
    }

    @Override
    public Outcome outcome() {
      return Outcome.DENIED;
    }

    @Override
    public Decider decidedBy() {
      return isByCreator ? Decider.CREATOR : Decider.CALLER;
    }

    @Override
    public String conclusion() {
      return isByCreator ? "the creator is denied: " + reason : reason;
    }
  }

  /** Returns this decision marked as one of the creator's policy. */
  default Decision ofCreator() {
    if (this instanceof Allow allow) {
      return new Allow(allow.transform(), new ByCreator(allow.because()), allow.skipped());
    }
    Deny deny = (Deny) this;
    return new Deny(deny.reason(), true, deny.skipped());
  }

  /** Returns this decision with a ceiling on the transform. */
  default Decision atMost(AccessTransform most) {
    return this instanceof Allow allow && most.compareTo(allow.transform()) < 0
        ? new Allow(most, ByCeiling.below(allow), allow.skipped())
        : this;
  }

  default boolean isAllowed() {
    return this instanceof Allow;
  }

  /** Returns the decision that shows less of the token; a denial is the weakest. */
  static Decision weaker(Decision first, Decision second) {
    if (!(first instanceof Allow one)) {
      return first;
    }
    if (!(second instanceof Allow other)) {
      return second;
    }
    return one.transform().weaker(other.transform()) == one.transform() ? one : other;
  }

  /** The outcome of a decision, from the weakest to the strongest. */
  enum Outcome {
    /** The permission may not be exercised. */
    DENIED,
    /** It may be exercised; the data is omitted. */
    REDACTED,
    /** The data is shown through the token's mask. */
    MASKED,
    /** The data is shown. */
    REVEALED
  }

  /** The part of an {@link Authority} that decided. */
  enum Decider {
    /** A rule or direct permission of the caller, or their absence. */
    CALLER,
    /** A rule or direct permission of the application that created the caller's. */
    CREATOR,
    /** The ceiling. */
    CEILING
  }

  /** The grant that a decision to allow is based on. */
  sealed interface Basis {

    String explain();

    default Decider decider() {
      return Decider.CALLER;
    }

    default boolean isByCreator() {
      return false;
    }

    /** A rule, the first that matched. */
    record ByRule(AccessRule rule) implements Basis {
      @Override
      public String explain() {
        return "rule " + rule.priority() + " '" + rule.description() + "'";
      }
    }

    /** A permission that the application holds for all tokens. */
    record ByDirectPermission() implements Basis {
      @Override
      public String explain() {
        return "the permission granted directly";
      }
    }

    /**
     * A grant of the application that created the caller's, which shows less than the caller's own.
     */
    record ByCreator(Basis basis) implements Basis {
      @Override
      public String explain() {
        return basis instanceof ByRule
            ? CREATORS + basis.explain()
            : basis.explain() + " to the creator";
      }

      @Override
      public Decider decider() {
        return Decider.CREATOR;
      }

      @Override
      public boolean isByCreator() {
        return true;
      }
    }

    /**
     * A ceiling that is below the granted transform.
     *
     * @param basis the grant
     * @param granted the transform without the ceiling
     */
    record ByCeiling(Basis basis, AccessTransform granted) implements Basis {

      static ByCeiling below(Allow allow) {
        return allow.because() instanceof ByCeiling higher
            ? higher
            : new ByCeiling(allow.because(), allow.transform());
      }

      @Override
      public String explain() {
        return "the ceiling, which is below " + basis.explain() + " (" + granted.value() + "),";
      }

      @Override
      public Decider decider() {
        return Decider.CEILING;
      }

      @Override
      public boolean isByCreator() {
        return basis.isByCreator();
      }
    }
  }

  /** A rule that did not decide. */
  record Skipped(AccessRule rule, Reason reason) {

    private String explain() {
      return "rule " + rule.priority() + " '" + rule.description() + "' " + reason.text + "; ";
    }
  }

  /** The reason why a rule did not decide. */
  enum Reason {
    PERMISSION_NOT_LISTED("does not list the permission"),
    TOKEN_NOT_SELECTED("does not cover the token"),
    /** The decision was requested for a container rather than a token. */
    ID_NOT_GIVEN("depends on the token id");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
