package io.tokenvault.server.e2e.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.EndpointFixture;
import io.tokenvault.server.e2e.guarantee.FaultyVault;
import io.tokenvault.server.faults.PostgresRelay.Fault;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A transform receives no data and no response before their audit entry is written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TransformAuditGuaranteeTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String CODE =
      """
      const modes = {
        pass: async () => 'none',
        read: async ({ bt, args }) => (await bt.tokens.retrieve(args.body.id)).data,
        fetch: async ({ args }) =>
          (await fetch(args.body.url, { method: 'POST', body: args.body.secret })).status,
        swallow: async ({ bt, args }) => {
          try {
            return (await bt.tokens.retrieve(args.body.id)).data;
          } catch (ignored) {
            return 'nothing';
          }
        },
      };
      module.exports = async (req) => {
        const result = await modes[req.args.body.mode](req);
        return { body: { result } };
      };
      """;

  private final FaultyVault faulty = FaultyVault.shared();
  @AutoClose private final HttpsDestination destination = HttpsDestination.start();
  private final TenantFixture tenant = faulty.vault().newTenant();
  private final Client caller = tenant.owner();
  private final String token = caller.token(EndpointFixture.PLAINTEXT);
  private JsonNode proxy;

  @BeforeAll
  void start() {
    ObjectNode draft = TenantFixture.transformingDraft(destination.url(), CODE);
    proxy = tenant.proxy(draft.put("application_id", caller.id()));
    invoke("pass").expect(200);
    awaitEnds(1);
  }

  @ParameterizedTest
  @CsvSource({
    "read, CLOSED_BEFORE_COMMIT",
    "read, CLOSED_AFTER_COMMIT",
    "swallow, CLOSED_BEFORE_COMMIT",
    "fetch, CLOSED_BEFORE_COMMIT",
    "fetch, CLOSED_AFTER_COMMIT"
  })
  void transformReceivesNothingWithoutAuditEntry(String mode, Fault fault) {
    assertNothingUnrecorded(mode, fault);
  }

  @Tag("long")
  @Test
  void fetchSendsNothingWhenAuditConnectionHangs() {
    assertNothingUnrecorded("fetch", Fault.HELD);
  }

  private void assertNothingUnrecorded(String mode, Fault fault) {
    int received = destination.count();
    int ended = endCount();
    int entries = entryCount(mode);
    faulty.relay().failAfter(1, fault);
    Response response = invoke(mode);
    faulty.relay().fail(Fault.NONE);

    assertThat(response.status()).as("%s", response).isEqualTo(503);
    assertThat(response.header("Retry-After")).contains("1");
    assertThat(response.text()).doesNotContain(EndpointFixture.PLAINTEXT);
    assertThat(destination.count()).as("requests at the destination").isEqualTo(received);
    assertThat(entryCount(mode) - entries).isEqualTo(fault == Fault.CLOSED_AFTER_COMMIT ? 1 : 0);
    awaitEnds(ended + 1);
    int before = endCount();
    assertThat(invoke(mode).expect(200).text()).isNotEmpty();
    awaitEnds(before + 1);
  }

  private Response invoke(String mode) {
    ObjectNode body = Json.object("mode", mode, "id", token, "secret", "{{" + token + "}}");
    body.put("url", destination.url() + "/fetched");
    return caller.call("POST", "/proxy/charge").through(proxy).json(body).send();
  }

  /** Returns the number of audit entries about the operation of the transform. */
  private int entryCount(String mode) {
    return count(
        !mode.equals("fetch")
            ? "operation = 'read' AND entity_id = '" + token + "'"
            : "operation = 'invoke' AND message NOT LIKE 'Proxy%'");
  }

  private int endCount() {
    return count("message LIKE 'Proxy invocation ended%'");
  }

  /** Waits for entries that are written after the response, which later counts would include. */
  private void awaitEnds(int number) {
    Eventually.holds("the invocation's end is recorded", TIMEOUT, () -> endCount() >= number);
  }

  private int count(String condition) {
    return Integer.parseInt(
        faulty
            .runSql(
                "SELECT count(*) FROM audit_entry WHERE tenant_id = '%s' AND %s"
                    .formatted(tenant.id(), condition))
            .get(0));
  }
}
