package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.VaultFixture.data;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.IdempotencyKey;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.model.ResponseSubject;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.idempotency.RecordedResponse;
import io.tokenvault.ports.usecase.idempotency.SentRequest;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.DryRunProxies.AdmittedDryRun;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.ImportTokens;
import io.tokenvault.ports.usecase.token.ImportTokens.ImportLine;
import io.tokenvault.ports.usecase.token.ImportTokens.ImportRun;
import io.tokenvault.ports.usecase.token.TokenView;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a response depends on stored token data only after a durable audit entry. Each
 * scenario runs on two vaults that differ in a stored value, with a log that can be written and
 * with one that cannot.
 */
final class RecordedPlaintextTest {

  private static final TokenId STORED = new TokenId("stored");
  private static final String GUESS = "a guess";
  private static final String LARGE = "x".repeat((1 << 20) - 100);
  private static final PageRequest PAGE = new PageRequest(1, 10);
  private static final MemoryReservation NO_MEMORY =
      bytes -> {
        if (bytes > 0) {
          throw new RefusedException(FailureCause.OVERLOADED, "Too much at once.");
        }
      };
  private static final Set<Operation> DISCLOSING =
      EnumSet.of(
          Operation.READ, Operation.USE, Operation.UPDATE, Operation.CREATE, Operation.SEARCH);

  /** Sends a request and returns the response as a string. */
  private interface Request {
    String send(TestVault test);
  }

  /** Two stored tokens, and a request whose response may differ between them only if recorded. */
  private record Scenario(String name, Draft one, Draft other, Request request) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Stream<Scenario> scenarios() {
    return Stream.of(changes(), creations(), reads(), proxies(), commands())
        .flatMap(Collection::stream);
  }

  private static List<Scenario> changes() {
    Draft a = Draft.ofJson("token", "{\"a\":1}");
    Draft b = Draft.ofJson("token", "{\"b\":1}");
    return List.of(
        new Scenario("a mask on stored data", a, b, change(new Patch().mask("\"{{ data.a }}\""))),
        new Scenario(
            "a mask merged into an existing one",
            a.withMask("{{ data.a }}"),
            b.withMask("{{ data.b }}"),
            change(new Patch().mask("{\"m\":\"{{ data.a }}\"}"))),
        new Scenario(
            "a search index on stored data", a, b, change(new Patch().indexes("{{ data.a }}"))),
        new Scenario(
            "a fingerprint of stored data", a, b, change(new Patch().fingerprint("{{data.a}}"))),
        new Scenario(
            "metadata that a fingerprint may use",
            a.withFingerprint("{{ metadata.k }}").withMetadata("k", "v"),
            a.withFingerprint("{{ data.a }}").withMetadata("k", "v"),
            blindChange(new Patch().metadata("k", null))),
        new Scenario(
            "data merged under an unchanged mask",
            Draft.ofJson("token", "{\"a\":1,\"b\":1}").withMask("{{ data.a }}"),
            Draft.ofJson("token", "{\"a\":1,\"b\":1}").withMask("{{ data.b }}"),
            blindChange(new Patch().data("{\"a\":null}"))),
        new Scenario(
            "data replaced under an unchanged mask",
            a.withMask("{{ data.a }}"),
            a.withMask("fixed"),
            blindChange(new Patch().data("\"text\""))),
        new Scenario(
            "the size of merged data",
            Draft.ofJson("token", "{\"a\":\"" + LARGE + "\"}"),
            a,
            blindChange(new Patch().data("{\"pad\":\"" + "y".repeat(200) + "\"}"))),
        new Scenario(
            "whether a mask uses unchanged data",
            a,
            Draft.ofJson("token", "{\"a\":1,\"b\":1}"),
            blindChange(new Patch().data("{\"a\":2}").mask("\"fixed\""))),
        new Scenario(
            "whether a failing mask uses unchanged data",
            a,
            Draft.ofJson("token", "{\"a\":1,\"b\":1}"),
            blindChange(new Patch().data("{\"a\":2}").mask("\"{{ data.x }}\""))),
        new Scenario(
            "data in the response to a change", a, b, change(new Patch().containers("/x/"))));
  }

  private static Request change(Patch patch) {
    return test -> test.change(test.allowed, patch);
  }

  /** Changes the token as a caller who may not read it. */
  private static Request blindChange(Patch patch) {
    return test -> test.change(test.updater, patch);
  }

  private static List<Scenario> creations() {
    Draft guess = Draft.of(GUESS).deduplicated();
    return List.of(
        guessing("deduplication", test -> test.create(guess)),
        guessing("deduplication under an id", test -> test.create(guess.withId("new"))),
        guessing("deduplication under a taken id", test -> test.create(guess.withId("taken"))),
        guessing(
            "which of several taken ids is reported",
            test -> test.create(guess.withId("taken"), Draft.of("x").withId("taken"))),
        guessing(
            "an id twice in one request",
            test -> test.create(guess.withId("new"), Draft.of("x").withId("new"))));
  }

  private static List<Scenario> reads() {
    return List.of(
        guessing("a read", test -> data(test.vault.tokens.read(test.allowed, STORED))),
        guessing("a list", test -> sortedData(test.vault.list(test.allowed).items())),
        guessing("a search", test -> test.search(MemoryReservation.UNBOUNDED)),
        guessing("a search without available memory", test -> test.search(NO_MEMORY)),
        guessing(
            "detokenization",
            test ->
                test.text(
                    test.vault.detokenize(test.allowed, "\"a {{stored | reveal_last: 2}}\""))),
        guessing("a replay", TestVault::replay));
  }

  private static List<Scenario> proxies() {
    return List.of(
        guessing(
            "an invocation",
            test ->
                VaultFixture.text(
                    test.vault
                        .begin(test.admission, ProxyFixture.BANK, STORED)
                        .get(STORED.value()))),
        guessing("a dry run", TestVault::preview),
        guessing(
            "a read by a transform", test -> data(test.vault.tokens.read(test.acting, STORED))),
        new Scenario(
            "a change by a transform",
            Draft.ofJson("token", "{\"a\":1}"),
            Draft.ofJson("token", "{\"b\":1}"),
            test -> test.change(test.acting, new Patch().mask("\"{{ data.a }}\""))));
  }

  private static List<Scenario> commands() {
    Draft guess = Draft.of(GUESS).deduplicated();
    return List.of(
        guessing("an import", test -> test.importLine(guess)),
        guessing("an import under a taken id", test -> test.importLine(guess.withId("taken"))));
  }

  /** Returns a scenario in which the stored data is the caller's guess or something else. */
  private static Scenario guessing(String name, Request request) {
    return new Scenario(name, searchable(GUESS), searchable("something else"), request);
  }

  private static Draft searchable(String data) {
    return Draft.of(data).withIndexes("{{ data }}").withMask("{{ data | reveal_last: 2 }}");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void responseDependingOnStoredDataIsRecorded(Scenario scenario) {
    TestVault one = new TestVault(scenario.one());
    TestVault other = new TestVault(scenario.other());
    int disclosuresOfOne = one.disclosures().size();
    int disclosuresOfOther = other.disclosures().size();

    String response = one.respond(scenario.request());

    assertThat(response)
        .as("response that reveals the stored value")
        .isNotEqualTo(other.respond(scenario.request()));
    assertThat(one.disclosures()).hasSizeGreaterThan(disclosuresOfOne);
    assertThat(other.disclosures()).hasSizeGreaterThan(disclosuresOfOther);
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void unrecordableResponseIsIndependentOfStoredData(Scenario scenario) {
    TestVault one = new TestVault(scenario.one());
    TestVault other = new TestVault(scenario.other());
    one.refuseEntries();
    other.refuseEntries();

    assertThat(one.respond(scenario.request())).isEqualTo(other.respond(scenario.request()));
  }

  private static String sortedData(List<TokenView> views) {
    return views.stream().map(VaultFixture::data).sorted().toList().toString();
  }

  /** A vault with a stored token, and its callers. */
  private static final class TestVault {

    final VaultFixture vault = new VaultFixture();
    final Caller allowed =
        caller(Permission.heldBy(ApplicationType.PRIVATE).toArray(Permission[]::new));
    final Caller updater = caller(Permission.TOKEN_UPDATE);
    final Admission admission;
    final Caller acting;
    final ImportTokens imports =
        new ImportTokens(vault.tokenStore, vault.stores.keys(), vault.contents, vault.recorder);
    final AdmittedDryRun dryRun;

    TestVault(Draft stored) {
      vault.token(stored.withId(STORED.value()));
      vault.token(Draft.of("of another").withId("taken"));
      ApplicationId application = allowed.application().id();
      ProxyFixture proxy = new ProxyFixture(vault, allowed);
      admission = proxy.admit();
      acting = vault.invocations.acting(admission, ProxyFixture.BANK).orElseThrow();
      dryRun = vault.dryRuns.begin(vault.manager(), proxy.id(), Optional.of(application));
      replay();
    }

    private Caller caller(Permission... permissions) {
      return vault.caller("/", AccessTransform.REVEAL, permissions);
    }

    void refuseEntries() {
      vault.recorder.fail();
      vault.fixture.refuseEntries();
    }

    List<Operation> disclosures() {
      return vault.entries().stream()
          .map(AuditEntry::operation)
          .filter(DISCLOSING::contains)
          .toList();
    }

    String respond(Request request) {
      try {
        return request.send(this);
      } catch (ValidationException invalid) {
        return invalid.errors().toString();
      } catch (VaultException refused) {
        return refused.failure() + " " + refused.getMessage();
      }
    }

    String change(Caller caller, Patch patch) {
      return data(vault.change(caller, STORED, patch));
    }

    String create(Draft... drafts) {
      return vault.createAll(allowed, drafts).stream()
          .map(created -> created.isNew() + " " + data(created.view()))
          .collect(Collectors.joining());
    }

    String search(MemoryReservation reservation) {
      TokenQuery indexed = vault.tokens.indexedAs(allowed, GUESS);
      return String.valueOf(vault.tokens.search(allowed, indexed, PAGE, reservation).totalItems());
    }

    String text(JsonValue value) {
      return new String(vault.json.write(value), StandardCharsets.UTF_8);
    }

    String preview() {
      return vault
          .dryRuns
          .preview(dryRun, ProxyFixture.BANK, Set.of(STORED.value()), MemoryReservation.UNBOUNDED)
          .get(STORED.value())
          .mask()
          .map(VaultFixture::text)
          .orElse("nothing");
    }

    /** Repeats the request that the constructor sent, and returns the recorded response. */
    String replay() {
      SentRequest sent =
          new SentRequest(
              IdempotencyKey.read("the header", List.of("key")).orElseThrow(),
              "PATCH",
              "/tokens",
              List.of(""),
              new byte[0]);
      return vault
          .idempotentRequests
          .once(allowed, ChangeTokens.UPDATE, sent, MemoryReservation.UNBOUNDED, this::execute)
          .response()
          .body()
          .map(VaultFixture::text)
          .orElse("nothing");
    }

    private RecordedResponse execute() {
      TokenView view = vault.change(allowed, STORED, new Patch().containers("/"));
      return new RecordedResponse(
          200,
          List.of(),
          view.data(),
          true,
          false,
          List.of(new ResponseSubject(Kind.TOKEN_CHANGED, view.shown(), STORED.value())));
    }

    String importLine(Draft draft) {
      ImportRun run =
          new ImportRun(vault.tenantId(), UUID.randomUUID(), UUID.randomUUID(), VaultFixture.START);
      ImportLine line = imports.check(run, 1, draft.toDraft(), new Violations()).orElseThrow();
      return imports.store(run, List.of(line), false).toString();
    }
  }
}
