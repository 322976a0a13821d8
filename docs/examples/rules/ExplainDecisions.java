import static io.tokenvault.domain.access.AccessTransform.MASK;
import static io.tokenvault.domain.access.AccessTransform.REVEAL;
import static io.tokenvault.domain.access.ApplicationType.EXPIRING;
import static io.tokenvault.domain.access.ApplicationType.PRIVATE;
import static io.tokenvault.domain.access.Condition.Attribute.ID;
import static io.tokenvault.domain.access.Condition.Operator.STARTS_WITH;
import static io.tokenvault.domain.access.Permission.TOKEN_READ;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.GrantLimits;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.failure.Violations;
import java.util.List;

/** Evaluates access rules with the vault-domain artifact alone, and explains the decisions. */
public final class ExplainDecisions {

  private ExplainDecisions() {}

  public static void main(String[] arguments) {
    AccessPolicy support =
        AccessPolicyDraft.empty()
            .rule("cards", "/pci/", MASK, TOKEN_READ)
            .rule("personal data", "/pii/", REVEAL, TOKEN_READ)
            .parse(PRIVATE);
    AccessPolicy session =
        AccessPolicyDraft.empty()
            .rule("customer 7", List.of(new Condition(ID, STARTS_WITH, "c7-")), REVEAL, TOKEN_READ)
            .parse(EXPIRING);
    Authority caller = Authority.of(session).limitedBy(support);

    explain(caller, TokenTraits.of("c7-name", "/pii/low/"));
    explain(caller, TokenTraits.of("c7-card", "/pci/high/"));
    explain(caller.atMost(MASK), TokenTraits.of("c7-name", "/pii/low/"));
    explain(caller, TokenTraits.of("c8-name", "/pii/low/"));
    explain(caller, TokenTraits.of("c7-account", "/bank/high/"));

    Violations violations = new Violations();
    AccessPolicyDraft.empty()
        .rule("", "/pci", MASK, TOKEN_READ)
        .parse(GrantLimits.of(PRIVATE), violations);
    violations.asMap().forEach((path, found) -> System.out.println(path + " " + found.get(0)));
  }

  private static void explain(Authority caller, TokenTraits token) {
    Decision decision = caller.decide(TOKEN_READ, token);
    System.out.println(token.id() + ": " + decision.outcome() + " by " + decision.decidedBy());
    System.out.println("  " + decision.explain());
  }
}
