package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.Destination;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.benchmark.program.Wrk;
import java.util.List;
import picocli.CommandLine.Command;

/** Compares proxied requests with and without the reference transform. */
@Command(
    name = "transform",
    description = "proxied requests with the reference transform, compared with plain ones",
    mixinStandardHelpOptions = true)
final class TransformPart extends BenchmarkPart {

  private static final int CONNECTIONS = 32;
  private static final String TRANSFORM = "with transform";

  TransformPart() {
    super("Proxied requests through the reference transform");
  }

  @Override
  void measure(TestBed testBed) {
    VaultUnderTest vault = testBed.vault();
    Destination destination = testBed.destination();
    ProxiedRequest plain = ProxiedRequest.withTokens(testBed.createCaller(), 1);
    Caller transforming =
        Caller.create(vault, vault.management(), ProxiedRequest.transformingProxy(destination));
    Wrk without = Wrk.of("plain", testBed.workspace(), List.of(plain.wrkRequest()), CONNECTIONS);
    Wrk with =
        Wrk.of(
            "order",
            testBed.workspace(),
            List.of(ProxiedRequest.orderWithToken(transforming)),
            CONNECTIONS);
    AuditLogCheck auditCheck = new AuditLogCheck(vault, destination);
    new Comparison(report, options)
        .add("without", seconds -> without.run(vault.url(), seconds))
        .add(TRANSFORM, seconds -> auditCheck.during(() -> with.run(vault.url(), seconds)))
        .run()
        .reportRate(TRANSFORM, "at least 0.35")
        .reportP99(TRANSFORM, "");
    auditCheck.verify(report, (long) CONNECTIONS * (options.rounds + 1));
  }
}
