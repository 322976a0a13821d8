package io.tokenvault.ports.usecase.token;

import static io.tokenvault.ports.usecase.ProxyFixture.BANK;
import static io.tokenvault.ports.usecase.ProxyFixture.ELSEWHERE;
import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.usecase.Draft;
import io.tokenvault.ports.usecase.Patch;
import io.tokenvault.ports.usecase.ProxyFixture;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.Admission;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the writes of transforms that have read data of a bound container. */
final class BoundContainerWritesTest {

  private static final String SECRET = "4242424242424242";

  private final VaultFixture vault = new VaultFixture();
  private final TokenId card = vault.token("/pci/high/", SECRET);
  private final Caller application =
      vault.caller(
          "/",
          AccessTransform.REVEAL,
          Permission.TOKEN_READ,
          Permission.TOKEN_CREATE,
          Permission.TOKEN_UPDATE);
  private final ProxyFixture proxy = new ProxyFixture(vault, application);

  @BeforeEach
  void bind() {
    vault.bind("/pci/", BANK.host());
  }

  private Caller acting(Admission admission) {
    return vault.invocations.acting(admission, BANK).orElseThrow();
  }

  /** Returns the acting caller of an invocation whose request uses the token. */
  private Caller actingAfterUseOf(TokenId token) {
    Admission admission = proxy.admit();
    vault.begin(admission, BANK, token);
    return acting(admission);
  }

  private void assertCreated(Caller caller, Draft draft) {
    assertThat(vault.create(caller, draft).isNew()).isTrue();
  }

  private void assertNotCreated(Caller caller, Draft draft) {
    AuditEntry denied = assertDenied("Token creation denied", () -> vault.create(caller, draft));
    assertThat(denied.operation()).isEqualTo(Operation.CREATE);
    assertThat(denied.entityType()).isEqualTo(EntityType.APPLICATION);
    assertThat(denied.entityId()).isEqualTo(application.id().toString());
  }

  private void assertNotChanged(Caller caller, TokenId id, Patch patch) {
    AuditEntry denied = assertDenied("Token update denied", () -> vault.change(caller, id, patch));
    assertThat(denied.operation()).isEqualTo(Operation.UPDATE);
    assertThat(denied.entityId()).isEqualTo(id.value());
  }

  private AuditEntry assertDenied(String message, ThrowingCallable call) {
    int before = vault.entries().size();
    assertRefused(FailureCause.TOKENS_BOUND, call);
    assertThat(vault.entries())
        .hasSize(before + 1)
        .noneMatch(entry -> (entry.entityId() + entry.message()).contains(SECRET));
    AuditEntry denied = vault.entries().get(0);
    assertThat(denied.message()).isEqualTo(message);
    assertThat(denied.actor()).isEqualTo(application.actor());
    return denied;
  }

  /** Returns each operation that reads the card. */
  private List<Consumer<Admission>> reads() {
    return List.of(
        admission -> vault.begin(admission, BANK, card),
        admission -> vault.tokens.read(acting(admission), card),
        admission -> vault.detokenize(acting(admission), card),
        admission -> vault.change(acting(admission), card, new Patch().metadata("a", "b")));
  }

  @Test
  void boundDataIsWrittenOnlyToContainersBoundAsStrictly() {
    for (Consumer<Admission> read : reads()) {
      Admission admission = proxy.admit();
      assertCreated(acting(admission), Draft.of(SECRET).in("/general/"));
      read.accept(admission);

      assertNotCreated(acting(admission), Draft.of(SECRET));
      assertNotCreated(acting(admission), Draft.of(SECRET).in("/other/"));
      assertCreated(acting(admission), Draft.of(SECRET).in("/pci/high/"));
      assertCreated(acting(admission), Draft.of(SECRET).in("/pci/", "/general/high/"));
    }
  }

  @Test
  void containerBoundToFurtherHostsIsNotWritten() {
    vault.bind("/pii/", BANK.host());
    vault.bind("/pii/", ELSEWHERE.host());
    TokenId person = vault.token("/pii/", "a person");

    assertNotCreated(actingAfterUseOf(card), Draft.of(SECRET).in("/pii/"));
    assertCreated(actingAfterUseOf(person), Draft.of("x").in("/pci/"));
    assertCreated(actingAfterUseOf(card), Draft.of("x").in("/pii/", "/pci/"));
  }

  @Test
  void transformWritesWhereAllContainersItReadAllow() {
    vault.bind("/pii/", BANK.host());
    vault.bind("/pii/", ELSEWHERE.host());
    Admission admission = proxy.admit();
    TokenId person = vault.token("/pii/", "a person");
    vault.begin(admission, BANK, card, person);

    assertNotCreated(acting(admission), Draft.of(SECRET).in("/pii/"));
    assertCreated(acting(admission), Draft.of("x").in("/pci/"));
  }

  @Test
  void createdTokenMustNotExposeDataElsewhere() {
    Draft allowed = Draft.of(SECRET).in("/pci/high/");
    Caller acting = actingAfterUseOf(card);

    for (Draft draft :
        List.of(
            allowed.withId(SECRET),
            allowed.withId("{{ data | alias_preserve_format }}"),
            allowed.withMetadata("k", SECRET),
            allowed.withMask(SECRET),
            allowed.withIndexes("{{ data }}"),
            allowed.withFingerprint("{{ data }}"),
            allowed.expiring(VaultFixture.START.plus(Duration.ofSeconds(4242))),
            allowed.deduplicated(),
            allowed.in("/pci/" + SECRET + "/"))) {
      assertNotCreated(acting, draft);
    }
    assertCreated(acting, allowed);
  }

  @Test
  void oneForbiddenTokenRejectsWholeBatch() {
    Caller acting = actingAfterUseOf(card);
    List<String> before = vault.messages();

    assertRefused(
        FailureCause.TOKENS_BOUND,
        () -> vault.createAll(acting, Draft.of("a").in("/pci/"), Draft.of("b").in("/general/")));

    assertThat(vault.messages()).startsWith("Token creation denied").hasSize(before.size() + 1);
  }

  @Test
  void deniedCreationDoesNotRecordTokenId() {
    Caller pciCreator = vault.caller("/pci/", AccessTransform.REVEAL, Permission.TOKEN_CREATE);
    Admission admission = new ProxyFixture(vault, pciCreator).admit();
    vault.begin(admission, BANK, card);

    assertRefused(
        FailureCause.TOKENS_BOUND,
        () -> vault.create(acting(admission), Draft.of("x").in("/general/").withId(SECRET)));

    assertThat(vault.entries()).noneMatch(entry -> entry.entityId().contains(SECRET));
  }

  @Test
  void updateMustNotExposeDataElsewhere() {
    TokenId free = vault.token("/general/", "free");
    TokenId masked =
        vault.token(Draft.of("m").in("/pci/high/").withMask("{{ data | reveal_last: 1 }}")).id();
    Caller acting = actingAfterUseOf(card);
    String data = "\"" + SECRET + "\"";

    assertNotChanged(acting, free, new Patch().data(data));
    assertNotChanged(acting, masked, new Patch().data(data));
    for (Patch patch :
        List.of(
            new Patch().containers("/general/"),
            new Patch().containers("/pci/" + SECRET + "/"),
            new Patch().metadata("k", SECRET),
            new Patch().mask(data),
            new Patch().withoutMask(),
            new Patch().indexes("{{ data }}"),
            new Patch().fingerprint("{{ data }}"),
            new Patch().expiresAt(VaultFixture.START.plus(Duration.ofSeconds(4242))))) {
      assertNotChanged(acting, card, patch);
    }
    vault.change(acting, card, new Patch().data("\"1\"").containers("/pci/"));
    vault.change(acting, masked, new Patch().containers("/pci/"));
  }

  @Test
  void boundTokenIsNotMovedByTransformThatHasNotReadIt() {
    for (Patch patch :
        List.of(
            new Patch().containers("/general/high/"),
            new Patch().mask("\"{{ data }}\""),
            new Patch().mask("\"{{ unknown }}\""),
            new Patch().indexes("{{ data }}"),
            new Patch().fingerprint("{{ data }}"))) {
      assertNotChanged(acting(proxy.admit()), card, patch);
    }
    vault.change(acting(proxy.admit()), card, new Patch().containers("/pci/").metadata("k", "v"));
    vault.change(application, card, new Patch().containers("/general/high/"));
  }

  @Test
  void transformWithoutBoundDataWritesWhereApplicationMay() {
    Draft draft = Draft.of("x").withMetadata("k", "v").withMask("m").withId("an-id");

    assertCreated(actingAfterUseOf(vault.token("/general/", "free")), draft);
    assertCreated(application, draft.withId("other-id"));
  }

  @Test
  void bindingAddedAfterReadAppliesToWrite() {
    Caller acting = actingAfterUseOf(vault.token("/late/", "late"));
    vault.bind("/late/", BANK.host());

    assertNotCreated(acting, Draft.of("late"));
  }
}
