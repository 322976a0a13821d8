package io.tokenvault.domain.access;

import java.util.List;
import java.util.Optional;
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
  default Outcome outcome() {
    if (!(this instanceof Allow allow)) {
      return Outcome.DENIED;
    }
    return switch (allow.transform()) {
      case REDACT -> Outcome.REDACTED;
      case MASK -> Outcome.MASKED;
      case REVEAL -> Outcome.REVEALED;
    };
  }

  /** Returns the part of the caller's authority that decided. */
  default Decider decidedBy() {
    if (this instanceof Allow allow && allow.transform() != allow.granted()) {
      return Decider.CEILING;
    }
    return isByCreator() ? Decider.CREATOR : Decider.CALLER;
  }

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
   * @param granted the transform without the ceiling
   * @param rule the deciding rule; empty for a permission that is granted directly
   * @param isByCreator whether the creator's policy decided
   * @param skipped the rules that did not decide
   */
  record Allow(
      AccessTransform transform,
      AccessTransform granted,
      Optional<AccessRule> rule,
      boolean isByCreator,
      List<Skipped> skipped)
      implements Decision {
    public Allow {
      skipped = List.copyOf(skipped);
    }

    Allow(AccessTransform granted, Optional<AccessRule> rule, List<Skipped> skipped) {
      this(granted, granted, rule, false, skipped);
    }

    @Override
    public String conclusion() {
      String because =
          transform == granted
              ? grant()
              : "the ceiling, which is below " + grant() + " (" + granted.value() + "),";
      return because + " allows it (" + transform.value() + ")";
    }

    /** Returns the deciding rule or direct permission, regardless of the ceiling. */
    String grant() {
      return rule.map(by -> (isByCreator ? CREATORS : "") + by.label())
          .orElse("the permission granted directly" + (isByCreator ? " to the creator" : ""));
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
    public String conclusion() {
      return isByCreator ? "the creator is denied: " + reason : reason;
    }
  }

  /** Returns this decision marked as one of the creator's policy. */
  default Decision ofCreator() {
    if (this instanceof Allow allow) {
      return new Allow(allow.transform(), allow.granted(), allow.rule(), true, allow.skipped());
    }
    Deny deny = (Deny) this;
    return new Deny(deny.reason(), true, deny.skipped());
  }

  /** Returns this decision with a ceiling on the transform. */
  default Decision atMost(AccessTransform most) {
    return this instanceof Allow allow && most.compareTo(allow.transform()) < 0
        ? new Allow(most, allow.granted(), allow.rule(), allow.isByCreator(), allow.skipped())
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

  /** A rule that did not decide. */
  record Skipped(AccessRule rule, Reason reason) {

    private String explain() {
      return rule.label() + " " + reason.text + "; ";
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
