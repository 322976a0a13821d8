package io.tokenvault.domain.access;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The answer to "may this permission be exercised on this token, and what may be shown?", with its
 * reasons: what decided, and why each rule that comes earlier did not.
 */
public sealed interface Decision {

  /** The rules that were passed over, in the order in which they were looked at. */
  List<Skipped> skipped();

  /** What decided, and what; names a rule, never data. */
  String conclusion();

  /** One sentence for each thing that led here; names rules, never data. */
  default String explain() {
    return Skipped.explain(skipped()) + conclusion();
  }

  /** Allowed; answers show the data under the transform. */
  record Allow(AccessTransform transform, Basis because, List<Skipped> skipped)
      implements Decision {
    public Allow {
      skipped = List.copyOf(skipped);
    }

    @Override
    public String conclusion() {
      return because.explain() + " allows it (" + transform.value() + ")";
    }
  }

  /** Refused. */
  record Deny(String reason, List<Skipped> skipped) implements Decision {
    public Deny {
      skipped = List.copyOf(skipped);
    }

    @Override
    public String conclusion() {
      return reason;
    }
  }

  /** The same, but that answers show no more than this. */
  default Decision atMost(AccessTransform most) {
    return this instanceof Allow allow
        ? new Allow(allow.transform().weaker(most), allow.because(), allow.skipped())
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
  }

  /** A rule that did not decide. */
  record Skipped(AccessRule rule, Reason reason) {

    static String explain(List<Skipped> skipped) {
      return skipped.stream().map(Skipped::explain).collect(Collectors.joining());
    }

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
