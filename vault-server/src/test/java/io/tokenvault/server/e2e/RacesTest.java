package io.tokenvault.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Requests that meet each other. */
class RacesTest {

  private static final int MANY = 8;

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  @RepeatedTest(10)
  void aProxyNeverNamesAnApplicationThatIsGone() {
    String id = tenant.application("private", "token:use").id();

    List<Answer> answers =
        Together.send(
            List.of(
                () -> management.delete("/applications/" + id),
                () ->
                    management.post(
                        "/proxies",
                        Json.object(
                            "name",
                            "racing",
                            "destination_url",
                            "https://api.example.com",
                            "application",
                            Json.object("id", id)))));

    assertThat(answers.stream().map(Answer::status).toList())
        .as("deletion and creation: one of them fails")
        .isIn(List.of(204, 400), List.of(409, 201));
  }

  @Test
  void aTokenIdIsTakenOnce() {
    Client owner = tenant.owner();

    List<Answer> answers =
        Together.send(
            Collections.nCopies(
                MANY,
                () ->
                    owner.post(
                        "/tokens", Json.object("type", "token", "data", "x", "id", "racing"))));

    assertThat(answers.stream().map(Answer::status)).containsOnlyOnce(201).contains(409);
    assertThat(answers.stream().map(Answer::status)).containsOnly(201, 409);
  }

  @Test
  void ofManyNewKeysOneIsLeft() {
    String id = tenant.application("private", "token:read").id();

    List<Answer> answers =
        Together.send(
            Collections.nCopies(
                MANY, () -> management.post("/applications/" + id + "/regenerate")));

    assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(200, 409, 503));
    assertThat(
            answers.stream()
                .filter(answer -> answer.status() == 200)
                .map(answer -> new Client(RunningVault.shared(), id, answer.text("key")))
                .filter(client -> client.get("/permissions").status() == 200))
        .hasSize(1);
  }
}
