package io.tokenvault.server.process.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.environment.Unchecked;
import io.tokenvault.server.process.fixture.DatabaseUnderTest;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.ServerUnderLoad;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests that an overloaded server rejects early, responds to health checks, and recovers. */
@Timeout(600)
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OverloadTest {

  private static final int MAX_REQUESTS = 512;
  private static final int MAX_DESTINATION_REQUESTS = 32;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_DESCRIPTORS = 400;

  private final List<Socket> connections = new ArrayList<>();

  @AutoClose
  private final ServerUnderLoad vault =
      new ServerUnderLoad(
          DatabaseUnderTest.embedded(),
          Map.of("VAULT_PROXY_DESTINATION_REQUESTS", String.valueOf(MAX_DESTINATION_REQUESTS)));

  private void openRequest(String headers, String destination) {
    String request =
        """
        POST /proxy HTTP/1.1\r
        Host: vault\r
        SVC-API-KEY: %s\r
        SVC-PROXY-URL: %s\r
        %s\r
        \r
        """
            .formatted(vault.ownerKey(), destination, headers);
    Socket socket = Unchecked.get(this::connect);
    connections.add(socket);
    Unchecked.run(() -> socket.getOutputStream().write(request.getBytes(US_ASCII)));
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    int port = URI.create(vault.server().url()).getPort();
    try {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
          (int) CONNECT_TIMEOUT.toMillis());
      return socket;
    } catch (IOException failed) {
      socket.close();
      throw failed;
    }
  }

  /** Opens idle connections until there are this many, or the system accepts no more. */
  private void openIdleConnections(int count) throws IOException {
    try {
      while (connections.size() < count) {
        connections.add(connect());
      }
    } catch (SocketTimeoutException backlogFull) {
      System.out.printf("the system accepts no more than %d connections%n", connections.size());
    }
  }

  private void closeConnections() throws IOException {
    for (Socket each : connections) {
      each.close();
    }
    connections.clear();
  }

  private void assertHealthy() {
    long start = System.nanoTime();
    vault.owner().get("/healthz").expect(200);
    vault.owner().get("/readyz").expect(200);
    System.out.printf("health checks took %d ms%n", millisSince(start));
  }

  private static long millisSince(long start) {
    return Duration.ofNanos(System.nanoTime() - start).toMillis();
  }

  private void assertRecoversAfter(String cause) throws IOException {
    long end = System.nanoTime();
    closeConnections();
    VaultProcess.awaitThat("service after " + cause, () -> status() == 200);
    System.out.printf("%s: recovered %d ms after the end%n", cause, millisSince(end));
  }

  private int status() {
    try {
      return vault.owner().status();
    } catch (UncheckedIOException notYet) {
      return 0;
    }
  }

  @Test
  void slowBodiesOfOneApplicationBlockNeitherOthersNorHealthChecks() throws IOException {
    String pendingBody = "Content-Length: 1000\r\nContent-Type: application/json";
    for (int i = 0; i < MAX_REQUESTS + 50; i++) {
      openRequest(pendingBody, vault.destinationUrl());
    }
    VaultProcess.awaitThat("early refusals", () -> status() == 429);
    assertHealthy();
    assertThat(vault.management().status()).isEqualTo(200);
    assertRecoversAfter("slow bodies");
  }

  @Test
  void hangingDestinationDoesNotBlockOthers() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 200, InetAddress.getLoopbackAddress())) {
      String url = vault.destinationUrl(silent.getLocalPort());
      for (int i = 0; i < 2 * MAX_DESTINATION_REQUESTS; i++) {
        openRequest("Content-Length: 0", url);
      }
      LoadDriver.pause(Duration.ofSeconds(2));
      assertThat(invoke(url).text()).contains("overloaded");
      assertHealthy();
      invoke(vault.destinationUrl()).expect(200);
    }
    assertRecoversAfter("a destination that hangs");
  }

  private Response invoke(String url) {
    return vault.owner().call("POST", "/proxy").to(url).json("{}").send();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void serverRecoversFromExhaustedDescriptors() throws IOException {
    vault.restartWithDescriptors(MAX_DESCRIPTORS);
    try {
      exhaustDescriptors();
    } finally {
      closeConnections();
      vault.restart();
    }
  }

  private void exhaustDescriptors() throws IOException {
    LoadDriver load = vault.startLoad(2);
    try (load) {
      openIdleConnections(600);
      // A request of the load takes the last descriptor, fails without another, and releases it.
      VaultProcess.awaitThat(
          "the last descriptors", () -> vault.server().openDescriptors() >= MAX_DESCRIPTORS - 1);
      LoadDriver.pause(Duration.ofSeconds(3));
      assertRecoversAfter("no descriptors left");
      load.awaitSuccess("after connections have ended");
    }
    System.out.println("no descriptors left: " + load);
    vault.assertNothingLost(load);
  }
}
