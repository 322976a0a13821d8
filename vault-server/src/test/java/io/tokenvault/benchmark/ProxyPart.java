package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.Forwarder;
import io.tokenvault.benchmark.program.Nginx;
import io.tokenvault.benchmark.program.Wrk;
import java.util.List;
import picocli.CommandLine.Command;

/** Compares nginx, a bare forwarder, and the vault with the same request. */
@Command(
    name = "proxy",
    description = "proxied requests, compared with nginx and a bare forwarder",
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
  void measure(TestBed testBed) {
    String nginx = Nginx.startProxy(testBed.workspace(), testBed.destination());
    String forwarder = Forwarder.start(testBed.workspace(), options, testBed.destination());
    String vault = testBed.vault().url();
    ProxiedRequest request = ProxiedRequest.withTokens(testBed.createCaller(), 1);
    request.checkDelivery(nginx, ProxiedRequest.LENGTH);
    request.checkDelivery(forwarder, ProxiedRequest.LENGTH);
    checkEach(testBed, request);
    Wrk wrk = Wrk.of("proxy", testBed.workspace(), List.of(request.wrkRequest()), CONNECTIONS);
    AuditLogCheck auditCheck = new AuditLogCheck(testBed.vault(), testBed.destination());
    new Comparison(report, options)
        .add("nginx", seconds -> wrk.run(nginx, seconds))
        .add(FORWARDER, seconds -> wrk.run(forwarder, seconds))
        .add(VAULT, seconds -> auditCheck.during(() -> wrk.run(vault, seconds)))
        .run()
        .reportRate(FORWARDER, "")
        .reportRate(VAULT, "at least 0.20, aim 0.30")
        .reportP99(FORWARDER, "")
        .reportP99(VAULT, "at most 8");
    auditCheck.verify(report, (long) CONNECTIONS * (options.rounds + 1));
  }

  /** Checks that each completed request has one audit entry for the proxy and one for the token. */
  private void checkEach(TestBed testBed, ProxiedRequest request) {
    AuditLogCheck auditCheck = new AuditLogCheck(testBed.vault(), testBed.destination());
    auditCheck.during(
        () -> {
          for (int i = 0; i < CHECKED; i++) {
            request.checkDelivery(testBed.vault().url(), request.deliveredLength());
          }
          return null;
        });
    auditCheck.verify(report, 0);
  }
}
