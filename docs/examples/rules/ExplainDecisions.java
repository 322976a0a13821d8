import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.access.Permission;
import java.util.List;
import java.util.Set;

/** Decides about access rules with the vault-domain jar alone, and says why. */
public final class ExplainDecisions {

  private ExplainDecisions() {}

  public static void main(String[] arguments) {
    Authority support = Authority.of(policy());
    for (String container : List.of("/pci/high/", "/pii/low/", "/general/high/")) {
      for (Permission permission : List.of(Permission.TOKEN_READ, Permission.TOKEN_DELETE)) {
        explain(support, permission, container);
      }
    }
  }

  /** Cards masked, other personal data in clear text, and nothing else. */
  private static AccessPolicy policy() {
    return new AccessPolicy(
        List.of(),
        List.of(
            rule("cards", 1, "/pci/", AccessTransform.MASK),
            rule("personal data", 2, "/pii/", AccessTransform.REVEAL)));
  }

  private static AccessRule rule(
      String description, int priority, String container, AccessTransform transform) {
    return new AccessRule(
        description,
        priority,
        new InContainer(new Container(container)),
        transform,
        List.of(Permission.TOKEN_READ));
  }

  private static void explain(Authority caller, Permission permission, String container) {
    TokenTraits token = new TokenTraits("a-token", Set.of(new Container(container)));
    Decision decision = caller.decide(permission, token);
    String shown =
        decision instanceof Decision.Allow allow ? allow.transform().value() : "refused";
    System.out.println(permission.type() + " in " + container + ": " + shown);
    System.out.println("  " + decision.explain());
  }
}
