package example.vault;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.AccessRuleDraft;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.InvalidDestinationException;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Creates a token, reads, finds and uses it, is denied access to it, and prints the audit log. */
public final class Session {

  private static final TokenId CARD = new TokenId("card-of-ann");

  private final VaultInAFile vault;
  private final PrintStream out;

  private Session(VaultInAFile vault, PrintStream out) {
    this.vault = vault;
    this.out = out;
  }

  /** Runs the session in the given directory, or in a new one. */
  public static void main(String[] arguments) throws IOException {
    Path directory =
        arguments.length > 0 ? Path.of(arguments[0]) : Files.createTempDirectory("vault");
    run(directory, System.out);
  }

  static void run(Path directory, PrintStream out) {
    try (VaultInAFile vault = VaultInAFile.open(directory, InstantSource.system())) {
      new Session(vault, out).run();
    }
  }

  private void run() {
    ApiKey management = vault.tenants().create(new ResourceName("Shop")).key();
    ApiKey backend =
        application(
            management,
            "Shop backend",
            List.of("token:create", "token:use"),
            rule("token:read", "token:search"));
    ApiKey mailing = application(management, "Mailing", List.of("token:create"));

    create(backend);
    show(
        "read: ",
        vault.tokens().read(enter(backend, VaultTokens.READ), CARD, MemoryReservation.UNBOUNDED));
    search(backend);
    use(backend);
    try {
      vault.tokens().read(enter(mailing, VaultTokens.READ), CARD, MemoryReservation.UNBOUNDED);
    } catch (RefusedException refused) {
      out.println("refused: " + refused.getMessage());
    }
    log(management);
  }

  /** Authenticates an API key, as the HTTP adapter does with the value of the header. */
  private Caller enter(ApiKey key, Requirement requirement) {
    return vault.authenticator().authenticate(sent(key), requirement);
  }

  private static Optional<String> sent(ApiKey key) {
    return Optional.of(text(key.value()));
  }

  private static String text(SensitiveValue value) {
    return new String(value.open(), StandardCharsets.UTF_8);
  }

  private ApiKey application(
      ApiKey management, String name, List<String> permissions, AccessRuleDraft... rules) {
    ApplicationDraft draft =
        new ApplicationDraft(
            name, "private", new AccessPolicyDraft(permissions, List.of(rules)), null, null);
    Caller manager = enter(management, ManageApplications.CREATE);
    return vault.applications().create(manager, draft, new Violations()).key();
  }

  private static AccessRuleDraft rule(String... permissions) {
    return new AccessRuleDraft("cards are masked", 1, "/pci/", null, "mask", List.of(permissions));
  }

  private void create(ApiKey backend) {
    TokenDraft draft =
        new TokenDraft(
            CARD.value(),
            "card_number",
            JsonValue.of("4242424242424242"),
            List.of("/pci/"),
            Map.of("customer", "ann"),
            null,
            null,
            List.of("{{ data | last4 }}"),
            null,
            null);
    Caller caller = enter(backend, CreateTokens.CREATE);
    vault.creating().create(caller, draft, new Violations(), MemoryReservation.UNBOUNDED);
    out.println("created: " + CARD);
  }

  private void search(ApiKey backend) {
    Caller caller = enter(backend, VaultTokens.SEARCH);
    vault
        .tokens()
        .search(
            caller,
            vault.tokens().indexedAs(caller, "4242"),
            new PageRequest(1, 10),
            MemoryReservation.UNBOUNDED)
        .items()
        .forEach(found -> show("found by 4242: ", found));
  }

  private void show(String what, TokenView view) {
    out.println(what + view.token().id() + " " + view.data().map(Session::text).orElse("-"));
  }

  /** Uses a token as the proxy engine does: its data is returned only after the use is recorded. */
  private void use(ApiKey backend) {
    Admission admission = vault.invocations().admit(sent(backend), Optional.empty());
    Destination payments = destination("https://payments.example.com/charges");
    Map<String, SensitiveValue> data =
        vault
            .invocations()
            .begin(admission, payments, Set.of(CARD.value()), MemoryReservation.UNBOUNDED);
    out.println("for " + payments.host() + ": " + text(data.get(CARD.value())));
    vault.invocations().end(admission, payments, "status 200");
  }

  private static Destination destination(String url) {
    try {
      return Destination.parse(url);
    } catch (InvalidDestinationException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  private void log(ApiKey management) {
    Caller manager = enter(management, ReadLogs.READ);
    out.println("log, newest first:");
    vault
        .logs()
        .list(manager, LogFilter.all(), new PageRequest(1, 100), MemoryReservation.UNBOUNDED)
        .items()
        .stream()
        .map(recorded -> recorded.entry())
        .map(Session::line)
        .forEach(out::println);
  }

  private static String line(AuditEntry entry) {
    return "  %-8s %-12s %s"
        .formatted(entry.operation().value(), entry.entityType().value(), entry.message());
  }
}
