package io.tokenvault.server.e2e.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.PlantedSecrets;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.Tables;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What is left in the tables of a token that is gone. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TokenErasureTest {

  /** Ciphertexts, fingerprints and search indexes, as a row's text shows them. */
  private static final Pattern HASH_OR_CIPHERTEXT = Pattern.compile("[0-9a-f]{48,}");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final TenantFixture TENANT = RunningVault.shared().newTenant();
  private static final Client OWNER = TENANT.owner();

  /** Made first, so that the sweep that the last test waits for comes while the others run. */
  private static final String SWEPT =
      OWNER.token(
          token("swept")
              .put(
                  "expires_at",
                  OffsetDateTime.now(ZoneOffset.UTC).plus(Duration.ofSeconds(5)).toString()));

  private static final Set<String> REMAINS_OF_SWEPT = remains(SWEPT);

  private final Tables tables = Tables.of(RunningVault.shared());

  @AfterEach
  void close() throws SQLException {
    tables.close();
  }

  @Test
  @Order(1)
  void deletingLeavesNothing() {
    String id = OWNER.token(token("secret"));
    String fingerprint = OWNER.get("/tokens/" + id).text("fingerprint");
    Set<String> remains = remains(id);
    assertThat(remains).hasSizeGreaterThanOrEqualTo(5).contains(fingerprint);

    OWNER.delete("/tokens/" + id).expect(204);

    assertThat(tables.rowsWith(id)).isEmpty();
    assertThat(remains).allSatisfy(each -> assertThat(tables.rowsWith(each)).isEmpty());
  }

  @Test
  @Order(2)
  void changingLeavesNothingOfWhatWasChanged() {
    String id = OWNER.token(token("secret"));
    Set<String> remains = remains(id);

    OWNER
        .patch(
            "/tokens/" + id,
            "{\"data\": \"other\", \"mask\": null, \"search_indexes\": [\"{{ data | size }}\"]}")
        .expect(200);

    assertThat(tables.rowsWith(id)).isNotEmpty();
    assertThat(remains).allSatisfy(each -> assertThat(tables.rowsWith(each)).isEmpty());
  }

  @Test
  @Order(3)
  void dataIsNowhereInTheClear() {
    String id = OWNER.token(token("planted-secret"));

    for (PlantedSecrets planted :
        List.of(
            new PlantedSecrets("data", "planted-secret"),
            new PlantedSecrets("index", "PLANTED-SECRET"),
            new PlantedSecrets("mask", "reveal_last: 3"))) {
      assertThat(tables.rowsWith(id).values())
          .isNotEmpty()
          .allSatisfy(rows -> assertThat(planted.in(rows.toString())).isEmpty());
    }
  }

  @Test
  @Order(4)
  void expiryLeavesNothing() {
    Eventually.holds("the row is swept", PATIENCE, () -> tables.rowsWith(SWEPT).isEmpty());

    assertThat(REMAINS_OF_SWEPT)
        .isNotEmpty()
        .allSatisfy(each -> assertThat(tables.rowsWith(each)).isEmpty());
  }

  private static Set<String> remains(String id) {
    try (Tables now = Tables.of(RunningVault.shared())) {
      return now.rowsWith(id).values().stream()
          .flatMap(List::stream)
          .flatMap(row -> HASH_OR_CIPHERTEXT.matcher(row).results())
          .map(MatchResult::group)
          .collect(Collectors.toSet());
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static ObjectNode token(String data) {
    return Json.object(
        "type",
        "token",
        "data",
        data,
        "mask",
        "{{ data | reveal_last: 3 }}",
        "search_indexes",
        List.of("{{ data }}", "{{ data | upcase }}"));
  }
}
