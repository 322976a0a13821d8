package example.host;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.AccessRuleDraft;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.server.Transforms;
import io.tokenvault.server.Vault;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A shop that stores card numbers in a vault inside its own JVM. */
public final class Shop implements AutoCloseable {

  private final Vault vault;
  private final ApiKey management;

  private Shop(Vault vault) {
    this.vault = vault;
    this.management = vault.tenants().create(new ResourceName("Shop")).key();
  }

  /** Opens a shop with a database in a directory. */
  public static Shop open(Path directory, FeedSink archive) {
    Vault vault =
        Vault.builder()
            .embedded(directory)
            .noHttp()
            .transforms(Transforms.OFF)
            .auditFeed("archive", archive)
            .start();
    return new Shop(vault);
  }

  /** Returns the key of a new application that creates and reads cards under a transform. */
  public ApiKey newApplication(String name, String transform) {
    AccessRuleDraft cards =
        new AccessRuleDraft("cards", 1, "/pci/", null, transform, List.of("token:read"));
    ApplicationDraft draft =
        new ApplicationDraft(
            name,
            "private",
            new AccessPolicyDraft(List.of("token:create"), List.of(cards)),
            null,
            null);
    return vault
        .applications()
        .create(vault.authenticate(management), draft, new Violations())
        .key();
  }

  /** Stores a card number and returns its token. */
  public TokenId store(ApiKey key, String number) {
    TokenDraft draft =
        new TokenDraft(
            null,
            "card_number",
            JsonValue.of(number),
            List.of("/pci/"),
            null,
            null,
            null,
            null,
            null,
            null);
    return vault
        .createTokens()
        .create(vault.authenticate(key), draft, new Violations())
        .view()
        .token()
        .id();
  }

  /**
   * Returns a card number as the application may see it: complete, masked, or a dash.
   *
   * @throws RefusedException if the application may not read cards; the vault records the denial
   */
  public String show(ApiKey key, TokenId card) {
    Caller caller = vault.authenticate(key);
    TokenView view = vault.tokens().read(caller, card);
    return view.data().map(data -> new String(data.open(), StandardCharsets.UTF_8)).orElse("-");
  }

  @Override
  public void close() {
    vault.close();
  }
}
