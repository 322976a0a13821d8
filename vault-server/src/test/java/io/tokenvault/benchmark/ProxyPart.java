package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.Forwarder;
import io.tokenvault.benchmark.program.Nginx;
import io.tokenvault.benchmark.program.Wrk;
import java.util.List;
import picocli.CommandLine.Command;

/** Compares nginx, a bare forwarder, and the vault with the same request. */
@Command(
    name = "proxy",
    description = "proxied requests beside nginx and a bare forwarder",
    mixinStandardHelpOptions = true)
final class ProxyPart extends BenchmarkPart {

  private static final int CONNECTIONS = 32;
  private static final int CHECKED = 200;
  private static final String FORWARDER = "forwarder";
  private static final String VAULT = "vault";

  ProxyPart() {
    super("Proxied requests: nginx, forwarder, vault");
  }

  @Override
  void measure(TestBed stand) {
    String nginx = Nginx.startProxy(stand.workspace(), stand.destination());
    String forwarder = Forwarder.start(stand.workspace(), options, stand.destination());
    String vault = stand.vault().url();
    ProxiedRequest request = ProxiedRequest.withTokens(stand.caller(), 1);
    request.check(nginx, ProxiedRequest.LENGTH);
    request.check(forwarder, ProxiedRequest.LENGTH);
    checkEach(stand, request);
    Wrk wrk = Wrk.of("proxy", stand.workspace(), List.of(request.exchange()), CONNECTIONS);
    AuditLogCheck guarantee = new AuditLogCheck(stand.vault(), stand.destination());
    new Comparison(report, options)
        .enter("nginx", seconds -> wrk.run(nginx, seconds))
        .enter(FORWARDER, seconds -> wrk.run(forwarder, seconds))
        .enter(VAULT, seconds -> guarantee.during(() -> wrk.run(vault, seconds)))
        .run()
        .tellRate(FORWARDER, "")
        .tellRate(VAULT, "at least 0.20, aim 0.30")
        .tellTail(FORWARDER, "")
        .tellTail(VAULT, "at most 8");
    guarantee.verify(report, (long) CONNECTIONS * (options.rounds + 1));
  }

  /** Checks that each completed request has one audit entry for the proxy and one for the token. */
  private void checkEach(TestBed stand, ProxiedRequest request) {
    AuditLogCheck guarantee = new AuditLogCheck(stand.vault(), stand.destination());
    guarantee.during(
        () -> {
          for (int i = 0; i < CHECKED; i++) {
            request.check(stand.vault().url(), request.delivered());
          }
          return null;
        });
    guarantee.verify(report, 0);
  }
}
