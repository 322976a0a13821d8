package io.tokenvault.domain.access;

import io.tokenvault.domain.NamedConstant;
import io.tokenvault.domain.access.Decision.Allow;
import java.util.ArrayList;
import java.util.List;

/**
 * A decision of one policy with all of its rules, in order of precedence. Names rules, never data.
 */
public record Explanation(Decision decision, List<Step> steps) {

  public Explanation {
    steps = List.copyOf(steps);
  }

  /**
   * Combines a decision with all rules of its policy.
   *
   * @param rules by precedence
   */
  static Explanation of(Decision decision, List<AccessRule> rules) {
    List<Step> steps = new ArrayList<>();
    decision
        .skipped()
        .forEach(
            each -> steps.add(new Step(each.rule(), Outcome.PASSED_OVER, each.reason().text())));
    if (decision instanceof Allow allow && allow.rule().isPresent()) {
      steps.add(
          new Step(
              allow.rule().get(),
              Outcome.DECIDES,
              "is the first rule that lists the permission and covers the token"));
    }
    rules.stream()
        .skip(steps.size())
        .forEach(
            rule ->
                steps.add(new Step(rule, Outcome.NOT_REACHED, "comes after the deciding rule")));
    return new Explanation(decision, steps);
  }

  /** Returns the outcome and its basis. */
  public String conclusion() {
    return decision.conclusion();
  }

  /**
   * A rule and its outcome.
   *
   * @param reason continues a sentence that begins with the rule's name
   */
  public record Step(AccessRule rule, Outcome outcome, String reason) {}

  /** The outcome of a rule in a decision. */
  public enum Outcome implements NamedConstant {
    DECIDES,
    PASSED_OVER,
    NOT_REACHED;
  }
}
