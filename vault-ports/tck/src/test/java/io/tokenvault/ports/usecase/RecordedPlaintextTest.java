package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.Vault.data;
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
  private static final MemoryReservation FULL =
      bytes -> {
        if (bytes > 0) {
          throw new RefusedException(FailureCause.OVERLOADED, "Too much at once.");
        }
      };
  private static final Set<Operation> TELLING =
      EnumSet.of(
          Operation.READ, Operation.USE, Operation.UPDATE, Operation.CREATE, Operation.SEARCH);

  /** Sends a request and returns the response as a string. */
  private interface Request {
    String send(World world);
  }

  /** A request whose response differs for two stored tokens, and must not unless it is recorded. */
  private record Place(String name, Draft one, Draft other, Request request) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Stream<Place> places() {
    return Stream.of(changes(), creations(), reads(), proxies(), commands())
        .flatMap(Collection::stream);
  }

  private static List<Place> changes() {
    Draft a = Draft.ofJson("token", "{\"a\":1}");
    Draft b = Draft.ofJson("token", "{\"b\":1}");
    return List.of(
        new Place("a mask on stored data", a, b, change(new Patch().mask("\"{{ data.a }}\""))),
        new Place(
            "a mask merged into one that was there",
            a.withMask("{{ data.a }}"),
            b.withMask("{{ data.b }}"),
            change(new Patch().mask("{\"m\":\"{{ data.a }}\"}"))),
        new Place(
            "a search index on stored data", a, b, change(new Patch().indexes("{{ data.a }}"))),
        new Place(
            "a fingerprint of stored data", a, b, change(new Patch().fingerprint("{{data.a}}"))),
        new Place(
            "metadata that a fingerprint may use",
            a.withFingerprint("{{ metadata.k }}").withMetadata("k", "v"),
            a.withFingerprint("{{ data.a }}").withMetadata("k", "v"),
            blindChange(new Patch().metadata("k", null))),
        new Place(
            "data merged under a mask that stays",
            Draft.ofJson("token", "{\"a\":1,\"b\":1}").withMask("{{ data.a }}"),
            Draft.ofJson("token", "{\"a\":1,\"b\":1}").withMask("{{ data.b }}"),
            blindChange(new Patch().data("{\"a\":null}"))),
        new Place(
            "data replaced under a mask that stays",
            a.withMask("{{ data.a }}"),
            a.withMask("fixed"),
            blindChange(new Patch().data("\"text\""))),
        new Place(
            "the size of merged data",
            Draft.ofJson("token", "{\"a\":\"" + LARGE + "\"}"),
            a,
            blindChange(new Patch().data("{\"pad\":\"" + "y".repeat(200) + "\"}"))),
        new Place(
            "whether a mask is over data that stays",
            a,
            Draft.ofJson("token", "{\"a\":1,\"b\":1}"),
            blindChange(new Patch().data("{\"a\":2}").mask("\"fixed\""))),
        new Place(
            "whether a mask that fails is over data that stays",
            a,
            Draft.ofJson("token", "{\"a\":1,\"b\":1}"),
            blindChange(new Patch().data("{\"a\":2}").mask("\"{{ data.x }}\""))),
        new Place(
            "what the response to a change shows", a, b, change(new Patch().containers("/x/"))));
  }

  private static Request change(Patch patch) {
    return world -> world.change(world.everything, patch);
  }

  /** Changes the token as a caller who may not read it. */
  private static Request blindChange(Patch patch) {
    return world -> world.change(world.updater, patch);
  }

  private static List<Place> creations() {
    Draft guess = Draft.of(GUESS).deduplicated();
    return List.of(
        guessed("deduplication", world -> world.create(guess)),
        guessed("deduplication under an id", world -> world.create(guess.withId("new"))),
        guessed("deduplication under an id that is taken", w -> w.create(guess.withId("taken"))),
        guessed(
            "which of several ids that are taken is told",
            world -> world.create(guess.withId("taken"), Draft.of("x").withId("taken"))),
        guessed(
            "an id twice in one request",
            world -> world.create(guess.withId("new"), Draft.of("x").withId("new"))));
  }

  private static List<Place> reads() {
    return List.of(
        guessed("a read", world -> data(world.vault.tokens.read(world.everything, STORED))),
        guessed("a list", world -> shown(world.vault.list(world.everything).items())),
        guessed("a search", world -> world.search(MemoryReservation.UNBOUNDED)),
        guessed("a search for which there is no room", world -> world.search(FULL)),
        guessed(
            "detokenization",
            world ->
                world.text(
                    world.vault.detokenize(world.everything, "\"a {{stored | reveal_last: 2}}\""))),
        guessed("a replay", World::replay));
  }

  private static List<Place> proxies() {
    return List.of(
        guessed(
            "an invocation",
            world ->
                Vault.text(
                    world
                        .vault
                        .begin(world.admission, ActingProxy.BANK, STORED)
                        .get(STORED.value()))),
        guessed("a dry run", World::preview),
        guessed(
            "a read by a transform", world -> data(world.vault.tokens.read(world.acting, STORED))),
        new Place(
            "a change by a transform",
            Draft.ofJson("token", "{\"a\":1}"),
            Draft.ofJson("token", "{\"b\":1}"),
            world -> world.change(world.acting, new Patch().mask("\"{{ data.a }}\""))));
  }

  private static List<Place> commands() {
    Draft guess = Draft.of(GUESS).deduplicated();
    return List.of(
        guessed("an import", world -> world.importLine(guess)),
        guessed(
            "an import under an id that is taken",
            world -> world.importLine(guess.withId("taken"))));
  }

  /** Returns a scenario in which the stored data is the caller's guess or something else. */
  private static Place guessed(String name, Request request) {
    return new Place(name, searchable(GUESS), searchable("something else"), request);
  }

  private static Draft searchable(String data) {
    return Draft.of(data).withIndexes("{{ data }}").withMask("{{ data | reveal_last: 2 }}");
  }

  @ParameterizedTest
  @MethodSource("places")
  void responseDependingOnStoredDataIsRecorded(Place place) {
    World one = new World(place.one());
    World other = new World(place.other());
    int ofOne = one.telling().size();
    int ofOther = other.telling().size();

    String response = one.respond(place.request());

    assertThat(response)
        .as("response that reveals the stored value")
        .isNotEqualTo(other.respond(place.request()));
    assertThat(one.telling()).hasSizeGreaterThan(ofOne);
    assertThat(other.telling()).hasSizeGreaterThan(ofOther);
  }

  @ParameterizedTest
  @MethodSource("places")
  void unrecordableResponseIsIndependentOfStoredData(Place place) {
    World one = new World(place.one());
    World other = new World(place.other());
    one.refuseEntries();
    other.refuseEntries();

    assertThat(one.respond(place.request())).isEqualTo(other.respond(place.request()));
  }

  private static String shown(List<TokenView> views) {
    return views.stream().map(Vault::data).sorted().toList().toString();
  }

  /** A vault with a stored token, and its callers. */
  private static final class World {

    final Vault vault = new Vault();
    final Caller everything =
        may(Permission.heldBy(ApplicationType.PRIVATE).toArray(Permission[]::new));
    final Caller updater = may(Permission.TOKEN_UPDATE);
    final Admission admission;
    final Caller acting;
    final ImportTokens imports =
        new ImportTokens(vault.tokenStore, vault.stores.keys(), vault.contents, vault.recorder);
    final AdmittedDryRun dryRun;

    World(Draft stored) {
      vault.token(stored.withId(STORED.value()));
      vault.token(Draft.of("of another").withId("taken"));
      ApplicationId application = everything.application().id();
      ActingProxy proxy = new ActingProxy(vault, everything);
      admission = proxy.admit();
      acting = vault.invocations.acting(admission, ActingProxy.BANK).orElseThrow();
      dryRun = vault.dryRuns.begin(vault.manager(), proxy.id(), Optional.of(application));
      replay();
    }

    private Caller may(Permission... permissions) {
      return vault.caller("/", AccessTransform.REVEAL, permissions);
    }

    void refuseEntries() {
      vault.recorder.fail();
      vault.fixture.refuseEntries();
    }

    List<Operation> telling() {
      return vault.entries().stream().map(AuditEntry::operation).filter(TELLING::contains).toList();
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
      return vault.createAll(everything, drafts).stream()
          .map(created -> created.isNew() + " " + data(created.view()))
          .collect(Collectors.joining());
    }

    String search(MemoryReservation reservation) {
      TokenQuery indexed = vault.tokens.indexedAs(everything, GUESS);
      return String.valueOf(
          vault.tokens.search(everything, indexed, PAGE, reservation).totalItems());
    }

    String text(JsonValue value) {
      return new String(vault.json.write(value), StandardCharsets.UTF_8);
    }

    String preview() {
      return vault
          .dryRuns
          .preview(dryRun, ActingProxy.BANK, Set.of(STORED.value()), MemoryReservation.UNBOUNDED)
          .get(STORED.value())
          .mask()
          .map(Vault::text)
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
          .requests
          .once(everything, ChangeTokens.UPDATE, sent, MemoryReservation.UNBOUNDED, this::carryOut)
          .answer()
          .body()
          .map(Vault::text)
          .orElse("nothing");
    }

    private RecordedResponse carryOut() {
      TokenView view = vault.change(everything, STORED, new Patch().containers("/"));
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
          new ImportRun(vault.tenantId(), UUID.randomUUID(), UUID.randomUUID(), Vault.START);
      ImportLine line = imports.check(run, 1, draft.toDraft(), new Violations()).orElseThrow();
      return imports.store(run, List.of(line), false).toString();
    }
  }
}
