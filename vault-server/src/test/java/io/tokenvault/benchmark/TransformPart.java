package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
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
  void measure(TestBed stand) {
    VaultUnderTest vault = stand.vault();
    ProxiedRequest plain = ProxiedRequest.withTokens(stand.caller(), 1);
    Caller transforming =
        Caller.of(vault, vault.management(), ProxiedRequest.transformingProxy(stand.destination()));
    Wrk without = Wrk.of("plain", stand.workspace(), List.of(plain.exchange()), CONNECTIONS);
    Wrk with =
        Wrk.of(
            "order", stand.workspace(), List.of(ProxiedRequest.order(transforming)), CONNECTIONS);
    AuditLogCheck guarantee = new AuditLogCheck(vault, stand.destination());
    new Comparison(report, options)
        .enter("without", seconds -> without.run(vault.url(), seconds))
        .enter(TRANSFORM, seconds -> guarantee.during(() -> with.run(vault.url(), seconds)))
        .run()
        .tellRate(TRANSFORM, "at least 0.35")
        .tellTail(TRANSFORM, "");
    guarantee.verify(report, (long) CONNECTIONS * (options.rounds + 1));
  }
}
