package io.tokenvault.domain.access;

import io.tokenvault.domain.access.Decision.Basis.ByCeiling;
import io.tokenvault.domain.access.Decision.Basis.ByCreator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The answer to "may this permission be exercised on this token, and what may be shown?", with its
 * reasons: what decided, and why each rule that comes earlier did not.
 */
public sealed interface Decision {

  /** Stands before a rule of the application that created the caller's. */
  String CREATORS = "the creator's ";

  /** The rules that were passed over, in the order in which they were looked at. */
  List<Skipped> skipped();

  /** What decided, and what; names a rule, never data. */
  String conclusion();

  /** Whether the policy of the application that created the caller's decided, and not its own. */
  boolean isByCreator();

  /** One sentence for each thing that led here; names rules, never data. */
  default String explain() {
    String whose = isByCreator() ? CREATORS : "";
    return skipped().stream().map(each -> whose + each.explain()).collect(Collectors.joining())
        + conclusion();
  }

  /** Allowed; answers show the data under the transform. */
  record Allow(AccessTransform transform, Basis because, List<Skipped> skipped)
      implements Decision {
    public Allow {
      skipped = List.copyOf(skipped);
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

  /** Refused. */
  record Deny(String reason, boolean isByCreator, List<Skipped> skipped) implements Decision {
    public Deny {
      skipped = List.copyOf(skipped);
    }

    public Deny(String reason, List<Skipped> skipped) {
      this(reason, false, skipped);
    }

    @Override
    public String conclusion() {
      return isByCreator ? "the creator is refused: " + reason : reason;
    }
  }

  /** Returns this decision of the policy of the application that created the caller's. */
  default Decision ofCreator() {
    if (this instanceof Allow allow) {
      return new Allow(allow.transform(), new ByCreator(allow.because()), allow.skipped());
    }
    Deny deny = (Deny) this;
    return new Deny(deny.reason(), true, deny.skipped());
  }

  /** Returns the same, but that responses show no more than this. */
  default Decision atMost(AccessTransform most) {
    return this instanceof Allow allow && most.compareTo(allow.transform()) < 0
        ? new Allow(most, ByCeiling.below(allow), allow.skipped())
        : this;
  }

  default boolean isAllowed() {
    return this instanceof Allow;
  }

  /** Of two decisions about the same token, the one that shows less; a refusal beats all. */
  static Decision weaker(Decision first, Decision second) {
    if (!(first instanceof Allow one)) {
      return first;
    }
    if (!(second instanceof Allow other)) {
      return second;
    }
    return one.transform().weaker(other.transform()) == one.transform() ? one : other;
  }

  /** What allowed something. */
  sealed interface Basis {

    String explain();

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

    /** What the application that created the caller's was granted, which shows less. */
    record ByCreator(Basis basis) implements Basis {
      @Override
      public String explain() {
        return basis instanceof ByRule
            ? CREATORS + basis.explain()
            : basis.explain() + " to the creator";
      }

      @Override
      public boolean isByCreator() {
        return true;
      }
    }

    /**
     * The most that any response shows, which is less than what was granted.
     *
     * @param basis of what was granted
     * @param granted without the ceiling
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

  /** Why a rule did not decide. */
  enum Reason {
    PERMISSION_NOT_LISTED("does not list the permission"),
    TOKEN_NOT_SELECTED("does not cover the token"),
    /** Asked of a container alone. */
    ID_NOT_GIVEN("depends on the id of a token");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
